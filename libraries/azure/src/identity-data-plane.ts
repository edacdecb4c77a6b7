import type { AuthorizeRequestOnChallengeOptions } from "@azure/core-rest-pipeline";
import { isPlainObject, Secret } from "@keelson/base";
import type { CertificatePrincipal } from "./environment.ts";
import { errors } from "./errors.ts";
import { tenantOfChallenge } from "./identity-challenge.ts";
import { identityUrlFault } from "./identity-url.ts";
import { parseObject } from "./parse-object.ts";
import { restPipeline } from "./sdks.ts";
import { type SignedRequestOptions, signedPipeline } from "./signed-pipeline.ts";

/**
 * Connection options. `credential` must be the credential of the resource provider. Azure returns identity credentials only to
 * the provider that owns the identity's resource.
 */
export interface IdentityDataPlaneOptions extends SignedRequestOptions {
  /** Audience of the data plane's tokens. */
  readonly audience: string;
  /** Host, or parent domain of the hosts, to which tokens for `audience` may be sent. Includes the port if it is not 443. */
  readonly hostSuffix: string;
}

/** Credentials with which a resource provider acts as a user-assigned identity. Times are RFC 3339. */
export interface IdentityCredentials {
  readonly resourceId: string;
  readonly objectId: string;
  readonly principal: CertificatePrincipal;
  /** Start of the renewal period. Its end is `cannotRenewAfter`. */
  readonly renewAfter: string;
  readonly cannotRenewAfter: string;
}

const apiVersion = "2024-01-01";

/**
 * Fetches the credentials of a user-assigned identity from the data plane of managed identities.
 * @param identityUrl value of the header `x-ms-identity-url` from Azure Resource Manager, including the query
 * @throws IdentityUrlForbidden if the URL is not in the data plane. The check precedes the first request.
 * @throws IdentityNotFound if the identity does not exist in the data plane
 * @throws IdentityUnavailable for any other response without credentials
 * @see Azure/msi-dataplane pkg/dataplane
 */
export async function fetchIdentityCredentials(
  options: IdentityDataPlaneOptions,
  identityUrl: string,
  resourceId: string,
  signal: AbortSignal,
): Promise<IdentityCredentials> {
  const fault = identityUrlFault(identityUrl, options.hostSuffix);
  if (fault) {
    throw errors.IdentityUrlForbidden(
      `The URL of the credentials of ${resourceId} must be ${fault}. Update the cluster through Azure Resource Manager.`,
    );
  }
  const url = new URL(identityUrl);
  url.searchParams.set("api-version", apiVersion);
  const request = restPipeline().createPipelineRequest({
    url: url.href,
    method: "POST",
    body: JSON.stringify({ identityIds: [resourceId] }),
    abortSignal: signal,
  });
  request.headers.set("content-type", "application/json");
  // The first attempt has no token. The data plane rejects it with a challenge that contains the tenant.
  const challengeCallbacks = {
    authorizeRequest: async () => {},
    authorizeRequestOnChallenge: (challenge: AuthorizeRequestOnChallengeOptions) =>
      signInTo(challenge, options),
  };
  const send = signedPipeline(options, {
    audience: options.audience,
    otherTenants: ["*"],
    challengeCallbacks,
  });
  const response = await send(request);
  const body = parseObject(response.bodyAsText ?? "");
  if (response.status !== 200) {
    const said = isPlainObject(body.error) ? `${body.error.code}: ${body.error.message}` : "no reason given";
    const refuse = response.status === 404 ? errors.IdentityNotFound : errors.IdentityUnavailable;
    throw refuse(
      `The data plane of managed identities returned status ${response.status} for ${resourceId}: ${said}`,
    );
  }
  const [found] = Array.isArray(body.explicit_identities) ? body.explicit_identities : [];
  if (!isPlainObject(found)) {
    throw errors.IdentityUnavailable(`The data plane of managed identities does not have ${resourceId}`);
  }
  return credentialsOf(found, resourceId);
}

async function signInTo(
  { response, request, scopes, getAccessToken }: AuthorizeRequestOnChallengeOptions,
  { audience, environment }: IdentityDataPlaneOptions,
): Promise<boolean> {
  const header = response.headers.get("www-authenticate") ?? "";
  const tenantId = tenantOfChallenge(header, { audience, loginEndpoint: environment.loginEndpoint });
  if (!tenantId) return false;
  const { abortSignal } = request;
  const token = await getAccessToken(scopes, { tenantId, ...(abortSignal ? { abortSignal } : {}) });
  if (!token) return false;
  request.headers.set("authorization", `Bearer ${token.token}`);
  return true;
}

async function credentialsOf(
  found: Record<string, unknown>,
  resourceId: string,
): Promise<IdentityCredentials> {
  const text = (member: string) => {
    const value = found[member];
    if (typeof value === "string" && value !== "") return value;
    throw errors.IdentityUnavailable(`The credentials of ${resourceId} have no ${member}`);
  };
  return {
    resourceId,
    objectId: text("object_id"),
    principal: {
      tenantId: text("tenant_id"),
      clientId: text("client_id"),
      certificate: await certificateIn(text("client_secret"), resourceId),
      loginEndpoint: text("authentication_endpoint"),
    },
    renewAfter: text("renew_after"),
    cannotRenewAfter: text("cannot_renew_after"),
  };
}

async function certificateIn(secret: string, resourceId: string): Promise<Secret> {
  const file = Buffer.from(secret, "base64");
  if (file.includes("-----BEGIN")) return new Secret(file.toString("utf8"));
  const { pemOfPkcs12 } = await import("./pkcs12.ts");
  try {
    return new Secret(pemOfPkcs12(file));
  } catch (cause) {
    throw errors.IdentityUnavailable(`The certificate of ${resourceId} cannot be read`, { cause });
  }
}
