import { randomUUID } from "node:crypto";
import { type Clock, type JsonObject, Secret } from "@keelson/base";
import type { ArmResponse } from "../arm/exchange.ts";
import { ok } from "../arm/exchange.ts";
import { type Application, type Directory, hasPassword } from "./directory.ts";
import type { Tokens } from "./tokens.ts";

export interface EntraDeps {
  readonly tenantId: string;
  readonly directory: Directory;
  /** Registers an application at its first sign-in, with the secret that it then shows; absent: it is refused. */
  readonly registerUnknown?: (clientId: string, secret: Secret) => Application;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

/** The identity provider's part of the listener. `undefined`: the path is not one of its own. */
export async function handleEntra(
  deps: EntraDeps,
  request: { readonly segments: readonly string[]; readonly form: URLSearchParams; readonly baseUrl: string },
): Promise<ArmResponse | undefined> {
  const [tenant = "", ...rest] = request.segments;
  const { baseUrl } = request;
  switch (rest.join("/").toLowerCase()) {
    case "v2.0/.well-known/openid-configuration":
      return isTenant(deps, tenant)
        ? ok(configuration(deps, tenant, baseUrl))
        : refuse(deps, noTenant(tenant));
    case "discovery/instance":
      return ok(discovery(tenant, baseUrl));
    case "discovery/v2.0/keys":
      return ok(JSON.parse(JSON.stringify(deps.tokens.keySet())));
    case "oauth2/v2.0/token":
      return isTenant(deps, tenant) ? token(deps, request.form, baseUrl) : refuse(deps, noTenant(tenant));
    default:
      return undefined;
  }
}

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly code: number;
  readonly text: string;
}

async function token(deps: EntraDeps, form: URLSearchParams, baseUrl: string): Promise<ArmResponse> {
  const grant = form.get("grant_type") ?? "";
  if (grant !== "client_credentials") {
    const text = `The grant type '${grant}' is not supported.`;
    return refuse(deps, { status: 400, error: "unsupported_grant_type", code: 70003, text });
  }
  const clientId = form.get("client_id") ?? "";
  const secret = new Secret(form.get("client_secret") ?? "");
  const known = deps.directory.find(clientId);
  const application = known ?? (isGuid(clientId) ? deps.registerUnknown?.(clientId, secret) : undefined);
  if (!application) {
    const text = `Application with identifier '${clientId}' was not found in the directory '${deps.tenantId}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`;
    return refuse(deps, { status: 400, error: "unauthorized_client", code: 700016, text });
  }
  if (!hasPassword(application, secret)) {
    const text = `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`;
    return refuse(deps, { status: 401, error: "invalid_client", code: 7000215, text });
  }
  const audience = audienceOf(form.get("scope") ?? "");
  if (audience === undefined) {
    const text =
      "The provided value for the input parameter 'scope' is not valid: it must end with '/.default'.";
    return refuse(deps, { status: 400, error: "invalid_scope", code: 70011, text });
  }
  const issued = await deps.tokens.issue(application, audience, `${baseUrl}/${deps.tenantId}/v2.0`);
  return ok({
    token_type: "Bearer",
    expires_in: issued.expiresInSeconds,
    ext_expires_in: issued.expiresInSeconds,
    access_token: issued.accessToken,
  });
}

function isGuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The resource in `{resource}/.default`, with its own slash where it has one. */
function audienceOf(scope: string): string | undefined {
  const [first = ""] = scope.split(" ").filter((each) => each.endsWith("/.default"));
  return first === "" ? undefined : first.slice(0, -"/.default".length);
}

function configuration(deps: EntraDeps, tenant: string, baseUrl: string): JsonObject {
  const base = `${baseUrl}/${tenant}`;
  return {
    issuer: `${baseUrl}/${deps.tenantId}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    response_types_supported: ["code", "token"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function discovery(tenant: string, baseUrl: string): JsonObject {
  const { host } = new URL(baseUrl);
  return {
    tenant_discovery_endpoint: `${baseUrl}/${tenant}/v2.0/.well-known/openid-configuration`,
    "api-version": "1.1",
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}

function isTenant(deps: EntraDeps, tenant: string): boolean {
  return [deps.tenantId.toLowerCase(), "common", "organizations"].includes(tenant.toLowerCase());
}

function noTenant(tenant: string): Refusal {
  const text = `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`;
  return { status: 400, error: "invalid_request", code: 90002, text };
}

function refuse(deps: EntraDeps, { status, error, code, text }: Refusal): ArmResponse {
  const [trace_id, correlation_id] = [randomUUID(), randomUUID()];
  const timestamp = deps.clock
    .now()
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  const details = `Trace ID: ${trace_id} Correlation ID: ${correlation_id} Timestamp: ${timestamp}`;
  return {
    status,
    body: {
      error,
      error_description: `AADSTS${code}: ${text} ${details}`,
      error_codes: [code],
      timestamp,
      trace_id,
      correlation_id,
    },
  };
}
