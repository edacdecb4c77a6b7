import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isLimited } from "../authorization/rights.ts";
import { at, nonEmptyStringAt } from "../base/json.ts";
import { requireToken } from "../entra/require-token.ts";
import type { Tokens } from "../entra/tokens.ts";
import type { RequestBody } from "../requests/request-body.ts";
import { IdentityCertificates } from "./credentials/identity-certificates.ts";

export interface IdentityRequest {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly body: RequestBody;
  readonly baseUrl: string;
}

/** Required audience of tokens for the data plane. */
const identityAudience = "https://identity.azure.net";

const bodyLimit = 256 * 1024;

const type = "Microsoft.ManagedIdentity/userAssignedIdentities";

/**
 * Data plane of managed identities. Resource providers request the credentials of a resource's identities here. In Azure, only
 * the provider of the resource may call this service. Here, every Azure service may call it.
 * @see Azure/msi-dataplane pkg/dataplane/internal/client
 */
export async function handleIdentities(
  subscription: Subscription,
  tokens: Tokens,
  request: IdentityRequest,
): Promise<ArmResponse> {
  const challenge = `Bearer authorization="${request.baseUrl}/${subscription.tenantId}"`;
  const principal = await requireToken(tokens, identityAudience, request.authorization, challenge);
  if (
    !subscription.firstParties.has(principal.clientId.toLowerCase()) &&
    isLimited(subscription, principal)
  ) {
    throw new ArmError(
      403,
      "AuthorizationFailed",
      `The client '${principal.clientId}' is not a resource provider, and only resource providers may fetch credentials of identities.`,
    );
  }
  if (request.method !== "POST") {
    throw new ArmError(405, "HttpMethodNotAllowed", "Credentials of identities are fetched with POST.");
  }
  const ids = at(await request.body.json(bodyLimit), "identityIds");
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((each) => typeof each === "string")) {
    throw badRequest("InvalidRequestContent", "The request must name the identities in 'identityIds'.");
  }
  const found = ids.map((id) => requireIdentity(subscription, String(id)));
  const explicit = await Promise.all(
    found.map((each, index) => credentialsOf(subscription, each, String(ids[index]), request.baseUrl)),
  );
  return ok({ explicit_identities: explicit });
}

function requireIdentity(subscription: Subscription, id: string): ResourceRecord {
  const record = subscription.resources.find(id);
  if (record?.type === type) return record;
  throw new ArmError(404, "IdentityNotFound", `The user assigned identity '${id}' was not found.`);
}

async function credentialsOf(
  subscription: Subscription,
  record: ResourceRecord,
  askedId: string,
  baseUrl: string,
): Promise<JsonObject> {
  const clientId = nonEmptyStringAt(record.body, "properties", "clientId") ?? "";
  const certificate = await new IdentityCertificates(subscription.store).get(
    record.id,
    clientId,
    subscription.clock,
  );
  return {
    client_id: clientId,
    client_secret: certificate.pkcs12,
    tenant_id: subscription.tenantId,
    object_id: nonEmptyStringAt(record.body, "properties", "principalId") ?? "",
    resource_id: askedId,
    authentication_endpoint: `${baseUrl}/`,
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    renew_after: certificate.renewAfter,
    cannot_renew_after: certificate.cannotRenewAfter,
  };
}
