import { Secret } from "@keelson/base";
import { guid } from "../base/guid.ts";
import { at } from "../base/json.ts";
import type { Client } from "./client.ts";
import { jwtBearer, refuseAssertion } from "./client-assertion.ts";
import { checkPassword } from "./credentials.ts";
import type { Application } from "./directory.ts";
import type { EntraDeps, EntraRequest } from "./entra-deps.ts";
import { isPublicFirstParty } from "./first-party-clients.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { isReplicated } from "./replication.ts";
import { registerPrincipal } from "./seed-directory.ts";

/** Returns the client with this ID, without authentication. */
export function findClient(deps: EntraDeps, clientId: string): Client | Refusal {
  const [principal, application] = [deps.directory.find(clientId), deps.directory.findApplication(clientId)];
  const known = [principal, application].some((each) => each && isReplicated(deps.subscription, each));
  if (known || isPublicFirstParty(clientId)) return { clientId, principal, application };
  return refusal(
    "unauthorized_client",
    700016,
    `Application with identifier '${clientId}' was not found in the directory '${deps.tenantId}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
  );
}

/** Authenticates the client of a request by its secret or assertion. */
export async function authenticateClient(deps: EntraDeps, request: EntraRequest): Promise<Client | Refusal> {
  const { clientId, secret, assertion } = credentialsIn(request);
  if (secret && !deps.directory.findApplication(clientId)) registerUnknown(deps, clientId, secret);
  const client = findClient(deps, clientId);
  if ("error" in client) return client;
  if (assertion !== undefined) {
    return (await refuseAssertion(deps, client, assertion, `${request.baseUrl}/`)) ?? client;
  }
  if (!secret) return noProof;
  switch (checkPassword([client.principal, client.application], secret, deps.clock.now())) {
    case "valid":
      return client;
    case "expired":
      return refusal(
        "invalid_client",
        7000222,
        `The provided client secret keys for app '${clientId}' are expired. Create new keys for your app or consider using certificate credentials for added security.`,
        401,
      );
    case "unknown":
      return refusal(
        "invalid_client",
        7000215,
        `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`,
        401,
      );
  }
}

/**
 * Registers an unknown application and stores the secret from its request. Does nothing if the settings do not allow this
 * registration.
 */
function registerUnknown(
  { directory, tenantId, subscription }: EntraDeps,
  clientId: string,
  clientSecret: Secret,
): void {
  if (subscription.settings.current.unknownApplications === "refused") return;
  if (!guid.test(clientId) || directory.find(clientId)) return;
  const application = { clientId, clientSecret, displayName: clientId };
  subscription.store.transaction(() => registerPrincipal(directory, tenantId, application));
}

/**
 * Returns the client that requests a token for a user. Public clients need no credentials unless `mustProve` is set. All other
 * clients must authenticate. In the result, `isProven` is true if the client has authenticated.
 */
export async function identifyClient(
  deps: EntraDeps,
  request: EntraRequest,
  mustProve: boolean,
): Promise<(Client & { readonly isProven: boolean }) | Refusal> {
  const { clientId, secret, assertion } = credentialsIn(request);
  const client = findClient(deps, clientId);
  if ("error" in client) return client;
  const mayBePublic = isPublicFirstParty(clientId) || isPublicApplication(client.application);
  if (!secret && assertion === undefined) {
    return mayBePublic && !mustProve ? { ...client, isProven: false } : noProof;
  }
  const proven = await authenticateClient(deps, request);
  return "error" in proven ? proven : { ...proven, isProven: true };
}

const noProof = refusal(
  "invalid_client",
  7000218,
  "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  401,
);

/** True if the application is configured as a public client, or has redirect addresses for native or single-page applications. */
function isPublicApplication(application: Application | undefined): boolean {
  const { attributes } = application ?? {};
  const hasAddress = (platform: string) => {
    const uris = at(attributes, platform, "redirectUris");
    return Array.isArray(uris) && uris.length > 0;
  };
  return at(attributes, "isFallbackPublicClient") === true || hasAddress("publicClient") || hasAddress("spa");
}

/** Returns the client credentials in the form or in the `Authorization` header (RFC 6749, section 2.3.1). */
export function credentialsIn({ form, authorization = "" }: Pick<EntraRequest, "form" | "authorization">) {
  const basic = /^Basic ([\w+/=-]+)$/i.exec(authorization)?.[1];
  const [id = "", password = ""] = basic
    ? Buffer.from(basic, "base64").toString("utf8").split(/:(.*)/s).map(formDecoded)
    : [];
  const secret = form.get("client_secret") ?? password;
  const hasAssertion = form.get("client_assertion_type") === jwtBearer;
  return {
    clientId: form.get("client_id") ?? id,
    secret: secret === "" ? undefined : new Secret(secret),
    assertion: hasAssertion ? (form.get("client_assertion") ?? "") : undefined,
  };
}

function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text}`).get("text") ?? "";
}
