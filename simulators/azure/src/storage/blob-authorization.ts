import { timingSafeEqual } from "node:crypto";
import { keyOf } from "../arm/arm-path.ts";
import type { Principal } from "../arm/principal.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isAllowed, rightsAt } from "../authorization/rights.ts";
import { at, nonEmptyStringAt } from "../base/json.ts";
import type { Tokens } from "../entra/tokens.ts";
import { accountKeysOf } from "./account-keys.ts";
import type { BlobRequest } from "./blob-request.ts";
import { signAccountSas, signDelegatedSas, signServiceSas } from "./sas-signature.ts";
import { signSharedKey } from "./shared-key.ts";
import { StorageError } from "./storage-error.ts";
import { delegationIn } from "./user-delegation.ts";

/** Rights that a request requires, for each authorization method. */
export interface Needed {
  /** Permission letters of a shared access signature. One of these permissions is sufficient. */
  readonly permission: string;
  /** Level of the request: service, container or object. */
  readonly level: "s" | "c" | "o";
  /** Role action without the prefix `Microsoft.Storage/storageAccounts/blobServices/`. */
  readonly action: string;
  readonly kind: "resource" | "data";
}

/** Required audience of tokens for blobs. */
const audience = "https://storage.azure.com";

/**
 * Authorizes a request by a token, an account key, a shared access signature, or public access to the container. Returns the
 * token's principal.
 * @throws StorageError
 */
export async function authorizeBlob(
  subscription: Subscription,
  tokens: Tokens,
  request: BlobRequest,
  needed: Needed,
): Promise<Principal | undefined> {
  const { headers, query } = request;
  const authorization = headers.authorization ?? "";
  if (/^SharedKey /i.test(authorization)) {
    checkSharedKey(request, authorization);
    return undefined;
  }
  if (query.has("sig")) {
    checkSignature(subscription, request, needed);
    return undefined;
  }
  if (authorization === "" && isPublic(subscription, request, needed)) return undefined;
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  const audiences = [audience, `https://${request.account}.blob.core.windows.net`];
  const principal = token === undefined ? undefined : await tokens.verify(token, audiences);
  if (principal === undefined || "code" in principal) {
    const code = token === undefined ? "NoAuthenticationInformation" : "InvalidAuthenticationInfo";
    throw new StorageError(401, code, "Server failed to authenticate the request.", {
      "www-authenticate": `Bearer authorization_uri="https://login.microsoftonline.com/${subscription.tenantId}/oauth2/authorize" resource_id="${audience}"`,
    });
  }
  checkRights(subscription, principal, request, needed);
  return principal;
}

/** Checks the roles of a principal. If the account does not exist as an ARM resource, roles at subscription scope apply. */
function checkRights(
  subscription: Subscription,
  principal: Principal,
  { resource, container }: BlobRequest,
  needed: Needed,
): void {
  const account = resource?.id ?? `/subscriptions/${subscription.subscriptionId}`;
  const scope = resource && container ? `${account}/blobServices/default/containers/${container}` : account;
  const action = `Microsoft.Storage/storageAccounts/blobServices/${needed.action}`;
  if (isAllowed(rightsAt(subscription, principal, scope), action, needed.kind)) return;
  throw notPermitted("AuthorizationPermissionMismatch");
}

function checkSharedKey(request: BlobRequest, authorization: string): void {
  const [, account, signature = ""] = /^SharedKey ([^:]+):(\S+)$/i.exec(authorization) ?? [];
  const keys = keysOf(request);
  if (account === request.account && keys.some((key) => isSame(signSharedKey(request, key), signature)))
    return;
  throw notAuthenticated();
}

function checkSignature(subscription: Subscription, request: BlobRequest, needed: Needed): void {
  const { account, container, blob, query } = request;
  const signature = query.get("sig") ?? "";
  const ofAccount = query.has("srt");
  const resource = `/blob/${account}/${container}${query.get("sr") === "b" ? `/${blob}` : ""}`;
  const delegation = query.has("skoid") ? delegationIn(subscription, request) : undefined;
  const isSigned = query.has("skoid")
    ? delegation !== undefined && isSame(signDelegatedSas(resource, query, delegation.key), signature)
    : keysOf(request).some((key) => {
        const sign = ofAccount ? signAccountSas(account, query, key) : signServiceSas(resource, query, key);
        return isSame(sign, signature);
      });
  if (!isSigned) throw notAuthenticated();
  const now = subscription.clock.outside.now().getTime();
  const start = query.get("st");
  if (!(Date.parse(query.get("se") ?? "") > now) || (start !== null && Date.parse(start) > now)) {
    throw notAuthenticated();
  }
  if (ofAccount && !query.get("ss")?.includes("b")) throw notPermitted("AuthorizationServiceMismatch");
  if (ofAccount && !query.get("srt")?.includes(needed.level)) {
    throw notPermitted("AuthorizationResourceTypeMismatch");
  }
  const isWhole = needed.level === "o" || needed.permission.includes("l");
  const permissions = query.get("sp") ?? "";
  if ((!ofAccount && !isWhole) || ![...needed.permission].some((each) => permissions.includes(each))) {
    throw notPermitted("AuthorizationPermissionMismatch");
  }
  // A user delegation SAS grants at most the rights of its signer.
  if (delegation) checkRights(subscription, delegation.principal, request, needed);
}

/** Returns the account keys. @throws StorageError if the account does not accept keys */
function keysOf({ resource }: BlobRequest): readonly string[] {
  if (!resource) throw notAuthenticated();
  if (at(resource.body, "properties", "allowSharedKeyAccess") === false) {
    throw new StorageError(
      403,
      "KeyBasedAuthenticationNotPermitted",
      "Key based authentication is not permitted on this storage account.",
    );
  }
  return accountKeysOf(resource).map(({ value }) => value);
}

function isPublic(subscription: Subscription, { resource, container }: BlobRequest, needed: Needed): boolean {
  if (!resource || at(resource.body, "properties", "allowBlobPublicAccess") !== true) return false;
  const record = subscription.resources.find(
    keyOf(`${resource.id}/blobServices/default/containers/${container}`),
  );
  const access = nonEmptyStringAt(record?.body, "properties", "publicAccess");
  if (needed.permission === "r" && needed.level === "o") return access === "Blob" || access === "Container";
  return needed.permission === "l" && access === "Container";
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function notAuthenticated(): StorageError {
  return new StorageError(
    403,
    "AuthenticationFailed",
    "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.",
  );
}

function notPermitted(code: string): StorageError {
  return new StorageError(403, code, "This request is not authorized to perform this operation.");
}
