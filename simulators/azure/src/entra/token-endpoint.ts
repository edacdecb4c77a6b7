import type { JsonObject } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { EntraDeps, EntraRequest } from "./entra-deps.ts";
import { issuerOf } from "./openid-configuration.ts";
import { type Refusal, refusal, refuse } from "./refusal.ts";
import {
  applicationAudience,
  delegatedAudience,
  isGraph,
  permissionsIn,
  scopesOf,
} from "./requested-resource.ts";
import type { IssuedToken } from "./tokens.ts";
import { type UserSignIn, userGrants } from "./user-grants.ts";

/**
 * Handles the token endpoints of versions 1 and 2. Version 1 requests contain `resource`. In version 1 responses, numbers are
 * strings.
 */
export async function issueTokens(
  deps: EntraDeps,
  request: EntraRequest,
  version: "v1" | "v2",
): Promise<ArmResponse> {
  const grantType = request.form.get("grant_type") ?? "";
  const response =
    grantType === "client_credentials"
      ? await tokensOfClient(deps, request)
      : await tokensOfUser(deps, request, grantType);
  if ("error" in response) return refuse(deps, response);
  const headers = { "cache-control": "no-store", pragma: "no-cache" };
  return { ...ok(version === "v1" ? asVersion1(deps, response) : response.body), headers };
}

interface Response {
  readonly audience: string;
  readonly body: JsonObject;
}

async function tokensOfClient(deps: EntraDeps, request: EntraRequest): Promise<Response | Refusal> {
  const client = await authenticateClient(deps, request);
  if ("error" in client) return client;
  const { clientId, principal } = client;
  if (!principal) {
    return refusal(
      "unauthorized_client",
      7000229,
      `The client application ${clientId} is missing service principal in the tenant ${deps.tenantId}.`,
    );
  }
  if (principal.disabled) {
    return refusal("unauthorized_client", 7000112, `Application '${clientId}' is disabled.`);
  }
  const audience = applicationAudience(request.form);
  if (typeof audience !== "string") return audience;
  const roles =
    (isGraph(audience) && deps.subscription.settings.current.graphRoles[principal.clientId]) || [];
  const subject = { clientId: principal.clientId, objectId: principal.objectId, roles };
  const issued = await deps.tokens.issue(subject, audience, issuerOf(request.baseUrl, deps.tenantId));
  return { audience, body: bodyOf(issued) };
}

async function tokensOfUser(
  deps: EntraDeps,
  request: EntraRequest,
  grantType: string,
): Promise<Response | Refusal> {
  const grant = Object.entries(userGrants).find(([name]) => name === grantType)?.[1];
  if (!grant) {
    return refusal("unsupported_grant_type", 70003, `The grant type '${grantType}' is not supported.`);
  }
  const { form, baseUrl } = request;
  const audience = delegatedAudience(form);
  if (typeof audience !== "string") return audience;
  const found = await grant(deps, request);
  if ("error" in found) return found;
  const issuer = issuerOf(baseUrl, deps.tenantId);
  const wanted = scopesOf(form);
  const subject = subjectOf(deps, found, permissionsIn(form));
  const body = {
    ...bodyOf(await deps.tokens.issue(subject, audience, issuer)),
    scope: wanted.join(" "),
    refresh_token: await deps.tokens.issueRefreshToken(subject, found.isProven, issuer),
    ...(wanted.includes("openid") || grantType === "authorization_code" || form.has("resource")
      ? { id_token: await deps.tokens.issueIdToken(subject, issuer, found.nonce) }
      : {}),
    ...(form.has("client_info") ? { client_info: clientInfo(found.user.objectId, deps.tenantId) } : {}),
  };
  return { audience, body };
}

function subjectOf({ directory }: EntraDeps, { clientId, user }: UserSignIn, scopes: readonly string[]) {
  const groups = directory.groupsOf(user.objectId).map(({ objectId }) => objectId);
  const { displayName, userPrincipalName, objectId } = user;
  return { clientId, objectId, user: { displayName, userPrincipalName, groups }, scopes };
}

function bodyOf({ accessToken, expiresInSeconds }: IssuedToken): JsonObject {
  return {
    token_type: "Bearer",
    expires_in: expiresInSeconds,
    ext_expires_in: expiresInSeconds,
    access_token: accessToken,
  };
}

function asVersion1({ subscription }: EntraDeps, { audience, body }: Response): JsonObject {
  const seconds = Number(body.expires_in);
  const now = Math.floor(subscription.clock.outside.now().getTime() / 1_000);
  return {
    ...body,
    expires_in: String(seconds),
    ext_expires_in: String(seconds),
    expires_on: String(now + seconds),
    not_before: String(now - 300),
    resource: audience,
  };
}

/** Returns the `client_info` value. Client libraries use it to distinguish accounts. */
function clientInfo(uid: string, utid: string): string {
  return Buffer.from(JSON.stringify({ uid, utid })).toString("base64url");
}
