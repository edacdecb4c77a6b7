import { ArmError } from "../arm/arm-error.ts";
import type { ArmResponse } from "../arm/exchange.ts";
import type { Principal } from "../arm/principal.ts";
import type { Subscription } from "../arm/subscription.ts";
import { requireToken } from "../entra/require-token.ts";
import type { Tokens } from "../entra/tokens.ts";
import type { RequestBody } from "../requests/request-body.ts";
import { catchUp, finishSigned } from "./certificate-making.ts";
import { serveCertificates } from "./certificates.ts";
import { isDeletedVault } from "./deleted-vaults.ts";
import { serveKeys } from "./keys.ts";
import { serveSecrets } from "./secrets.ts";
import { Vault } from "./vault.ts";
import { authorizeVault } from "./vault-authorization.ts";
import { badParameter, VaultError } from "./vault-error.ts";
import type { VaultRequest } from "./vault-request.ts";

/** Required audience of tokens for key vaults. */
const audience = "https://vault.azure.net";

const bodyLimit = 1024 * 1024;

/**
 * Serves the secrets, keys and certificates of vaults at `/vaults/{vault}`. A vault is also served if it does not exist as an ARM
 * resource.
 */
export async function handleVault(
  subscription: Subscription,
  tokens: Tokens,
  asked: Omit<VaultRequest, "idUrl" | "body"> & { readonly body: RequestBody },
): Promise<ArmResponse> {
  const principal = await requireVaultToken(subscription, tokens, asked);
  const [name = "", ...path] = asked.segments;
  if (!/^[a-z][a-z0-9-]{1,22}[a-z0-9]$/i.test(name) || isDeletedVault(subscription, name)) {
    throw new VaultError(404, "VaultNotFound", `There is no vault of the name '${name}'.`);
  }
  if (!asked.query.get("api-version")) throw badParameter("api-version must be specified");
  authorizeVault(subscription, principal, name, asked.method, path);
  const body = await asked.body.json(bodyLimit);
  const request = { ...asked, body, idUrl: `https://${name.toLowerCase()}.vault.azure.net` };
  const vault = new Vault(name, subscription);
  // Completes the certificates that earlier requests started, as an asynchronous CA would do.
  finishSigned(vault);
  await catchUp(vault, path[1]);
  const response = await responseTo(vault, path, request);
  await subscription.store.durable();
  if (response) return response;
  throw new VaultError(404, "NotFound", `There is no '${asked.method} /${path.join("/")}' in a vault.`);
}

/**
 * Requires a valid token. Clients send their first request without a token and without a body. The 401 response contains the
 * sign-in URL.
 */
async function requireVaultToken(
  subscription: Subscription,
  tokens: Tokens,
  { authorization, loginUrl }: Pick<VaultRequest, "authorization" | "loginUrl">,
): Promise<Principal> {
  const challenge = `Bearer authorization="${loginUrl}/${subscription.tenantId}", resource="${audience}"`;
  try {
    return await requireToken(tokens, audience, authorization, challenge);
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    const headers = { ...error.headers };
    throw new VaultError(401, "Unauthorized", error.message, { headers });
  }
}

async function responseTo(
  vault: Vault,
  path: readonly string[],
  request: VaultRequest,
): Promise<ArmResponse | undefined> {
  switch (path[0]?.toLowerCase().replace(/^deleted/, "")) {
    case "secrets":
      return serveSecrets(vault, path, request);
    case "keys":
      return serveKeys(vault, path, request);
    case "certificates":
      return serveCertificates(vault, path, request);
  }
  return undefined;
}
