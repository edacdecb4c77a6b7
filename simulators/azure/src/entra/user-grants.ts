import { createHash } from "node:crypto";
import { Secret } from "@keelson/base";
import { credentialsIn, identifyClient } from "./client-authentication.ts";
import { isPasswordOf, sameText } from "./credentials.ts";
import type { User } from "./directory.ts";
import type { EntraDeps, EntraRequest } from "./entra-deps.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Signed-in user and the client that acts on the user's behalf. */
export interface UserSignIn {
  readonly clientId: string;
  readonly user: User;
  /** True if the client has authenticated. */
  readonly isProven: boolean;
  readonly nonce?: string;
}

type Grant = (deps: EntraDeps, request: EntraRequest) => Promise<UserSignIn | Refusal>;

/** Handlers of user token grants, by `grant_type`. */
export const userGrants: Readonly<Record<string, Grant>> = {
  authorization_code: byCode,
  refresh_token: byRefreshToken,
  password: byPassword,
  "urn:ietf:params:oauth:grant-type:device_code": byDeviceCode,
  // Grant type used before RFC 8628. The parameter is `code` instead of `device_code`.
  device_code: byDeviceCode,
};

async function byCode(deps: EntraDeps, request: EntraRequest): Promise<UserSignIn | Refusal> {
  const { form } = request;
  const code = form.get("code") ?? "";
  const grant = deps.signIns.codes.find(code);
  if (!grant) {
    return invalid(70008, "The provided authorization code or refresh token has expired or is not known.");
  }
  const client = await identifyClient(deps, request, grant.platform === "web");
  if ("error" in client) return client;
  if (!sameClient(client, grant)) {
    return invalid(70000, "The provided authorization code was issued to another client.");
  }
  if (grant.isRedeemed) return invalid(54005, "OAuth2 Authorization code was already redeemed.");
  if ((form.get("redirect_uri") ?? "") !== grant.redirectUri) {
    return invalid(
      500112,
      `The reply address '${form.get("redirect_uri") ?? ""}' does not match the reply address '${grant.redirectUri}' provided when requesting the authorization code.`,
    );
  }
  if (!fits(form.get("code_verifier"), grant.challenge)) {
    return invalid(
      501481,
      "The Code_Verifier does not match the code_challenge supplied in the authorization request.",
    );
  }
  deps.signIns.codes.change(code, { ...grant, isRedeemed: true });
  const { nonce } = grant;
  return withUser(deps, client, grant.userId, nonce === undefined ? {} : { nonce });
}

/**
 * True if the verifier matches the challenge (RFC 7636). A verifier without a challenge is rejected, because an attacker could
 * have removed the challenge from the authorization request.
 */
function fits(
  verifier: string | null,
  challenge: { readonly method: "S256" | "plain"; readonly value: string } | undefined,
): boolean {
  if (!challenge) return verifier === null;
  if (verifier === null) return false;
  const value =
    challenge.method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  return sameText(value, challenge.value);
}

async function byRefreshToken(deps: EntraDeps, request: EntraRequest): Promise<UserSignIn | Refusal> {
  const { form } = request;
  const { clientId } = credentialsIn(request);
  const token = await deps.tokens.readRefreshToken(form.get("refresh_token") ?? "", clientId);
  if (!token)
    return invalid(9002313, "Invalid request. The refresh token is malformed, expired or not valid.");
  const client = await identifyClient(deps, request, token.isProven);
  if ("error" in client) return client;
  const found = withUser(deps, client, token.objectId);
  if ("error" in found) return found;
  const changedAt = found.user.passwordChangedAt;
  return changedAt !== undefined && Date.parse(changedAt) > token.issuedAtMs
    ? invalid(50173, "The provided grant has expired due to it being revoked, a fresh auth token is needed.")
    : found;
}

async function byPassword(deps: EntraDeps, request: EntraRequest): Promise<UserSignIn | Refusal> {
  const client = await identifyClient(deps, request, false);
  if ("error" in client) return client;
  const name = request.form.get("username") ?? "";
  const password = request.form.get("password") ?? "";
  const user = deps.directory.findUserByName(name);
  if (!user) {
    return invalid(
      50034,
      `The user account ${name} does not exist in the ${deps.tenantId} directory. To sign into this application, the account must be added to the directory.`,
    );
  }
  if (password === "" || !(await isPasswordOf(user, new Secret(password)))) {
    return invalid(50126, "Error validating credentials due to invalid username or password.");
  }
  return withUser(deps, client, user.objectId);
}

async function byDeviceCode(deps: EntraDeps, request: EntraRequest): Promise<UserSignIn | Refusal> {
  const { form } = request;
  const client = await identifyClient(deps, request, false);
  if ("error" in client) return client;
  const code = form.get("device_code") ?? form.get("code") ?? "";
  const grant = deps.signIns.devices.find(code);
  if (!grant || !sameClient(client, grant)) {
    return refusal(
      "expired_token",
      70020,
      "The provided value for the input parameter 'device_code' is not valid or has expired.",
    );
  }
  if (grant.state === "waiting") {
    return refusal(
      "authorization_pending",
      70016,
      "OAuth 2.0 device flow error. Authorization is pending. Continue polling.",
    );
  }
  deps.signIns.devices.remove(code);
  return grant.state === "declined"
    ? refusal("authorization_declined", 70019, "The user has declined the sign-in.")
    : withUser(deps, client, grant.state.userId);
}

interface ProvenClient {
  readonly clientId: string;
  readonly isProven: boolean;
}

function sameClient(a: { readonly clientId: string }, b: { readonly clientId: string }): boolean {
  return a.clientId.toLowerCase() === b.clientId.toLowerCase();
}

function withUser(
  { directory }: EntraDeps,
  client: ProvenClient,
  userId: string,
  more: { readonly nonce?: string } = {},
): UserSignIn | Refusal {
  const user = directory.findUser(userId);
  if (!user) return invalid(50034, "The user account does not exist in the directory.");
  if (user.disabled) return invalid(50057, "The user account is disabled.");
  const { clientId, isProven } = client;
  return { clientId, isProven, user, ...more };
}

function invalid(code: number, text: string): Refusal {
  return refusal("invalid_grant", code, text);
}
