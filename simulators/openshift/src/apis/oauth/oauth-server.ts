import { createHash, randomBytes } from "node:crypto";
import type { KubeObject, OpenPath, OpenRequest, OpenResponse } from "@keelson/apiserver";
import { isCoded, listAt, numberAt, stringAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import type { ApiContext } from "../api-context.ts";
import { accessTokens, nameOfToken } from "./access-token.ts";
import { isKubeadminPassword } from "./kubeadmin-password.ts";
import { oauthGroup } from "./oauth-resources.ts";

const clients = { group: oauthGroup, version: "v1", resource: "oauthclients" };
const authorizeTokens = { group: oauthGroup, version: "v1", resource: "oauthauthorizetokens" };
const scope = "user:full";
const accessSeconds = 86_400;
const codeSeconds = 300;
const kubeadmin = { login: "kubeadmin", user: "kube:admin" };

/**
 * OAuth server of a cluster. It shares the API server's URL. `oc login` authenticates with the password of `kubeadmin` and
 * receives a token (RFC 6749 with RFC 7636; openshift/oauth-server).
 */
export function oauthPaths(context: ApiContext): Readonly<Record<string, OpenPath>> {
  const { url } = context.logical;
  return {
    "/.well-known/oauth-authorization-server": async () => ({
      status: 200,
      body: oauthMetadata(url),
    }),
    "/oauth/authorize": (request) => authorize(context, request),
    "/oauth/token": (request) => exchange(context, request),
  };
}

/** Returns the OAuth server metadata (RFC 8414). */
export function oauthMetadata(url: string): Readonly<Record<string, unknown>> {
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    scopes_supported: [
      "user:check-access",
      "user:full",
      "user:info",
      "user:list-projects",
      "user:list-scoped-projects",
    ],
    response_types_supported: ["code", "token"],
    grant_types_supported: ["authorization_code", "implicit"],
    code_challenge_methods_supported: ["plain", "S256"],
  };
}

async function authorize(
  context: ApiContext,
  { method, query, headers }: OpenRequest,
): Promise<OpenResponse> {
  if (method !== "GET") return failure(405, "invalid_request", "only GET is supported");
  const client = await context.client.find(clients, { name: query.get("client_id") ?? "" });
  const [known] = listAt(client, "redirectURIs").filter((each) => typeof each === "string");
  const redirect = query.get("redirect_uri") ?? known ?? "";
  // Returns an error instead of redirecting to an unregistered URI, because an attacker may control that URI.
  if (!client || !listAt(client, "redirectURIs").includes(redirect)) {
    return failure(
      400,
      "unauthorized_client",
      "The client is not authorized to request a token using this method.",
    );
  }
  const type = query.get("response_type");
  if (type !== "code" && type !== "token") {
    return failure(400, "unsupported_response_type", "response_type must be code or token");
  }
  if (!headers["x-csrf-token"]) {
    const warning =
      '199 Origin "A non-empty X-CSRF-Token header is required to receive basic-auth challenges"';
    return { status: 401, headers: { warning } };
  }
  const isLogin = await isKubeadmin(context, headers.authorization).catch((error: unknown) => {
    if (!isCoded(error, "TooManyPasswords")) throw error;
    return undefined;
  });
  if (isLogin === undefined) return failure(429, "temporarily_unavailable", "Too many logins. Retry later.");
  if (!isLogin) {
    return { status: 401, headers: { "www-authenticate": 'Basic realm="openshift"' } };
  }
  const state = query.get("state");
  if (type === "token") {
    const fragment = new URLSearchParams({
      ...(await grant(context, client, redirect)),
      ...(state ? { state } : {}),
    });
    return { status: 302, headers: { location: `${redirect}#${fragment}` } };
  }
  const code = newToken();
  await context.client.create(authorizeTokens, {
    apiVersion: `${oauthGroup}/v1`,
    kind: "OAuthAuthorizeToken",
    metadata: { name: nameOfToken(code) },
    clientName: client.metadata.name,
    userName: kubeadmin.user,
    userUID: "",
    expiresIn: codeSeconds,
    redirectURI: redirect,
    scopes: [scope],
    codeChallenge: query.get("code_challenge") ?? "",
    codeChallengeMethod: query.get("code_challenge_method") ?? "",
  });
  const response = new URLSearchParams({ code, ...(state ? { state } : {}) });
  return { status: 302, headers: { location: `${redirect}?${response}` } };
}

/** Exchanges an authorization code for an access token. Each code is valid once. */
async function exchange(context: ApiContext, { method, headers, body }: OpenRequest): Promise<OpenResponse> {
  if (method !== "POST") return failure(405, "invalid_request", "only POST is supported");
  const form = new URLSearchParams(body);
  if (form.get("grant_type") !== "authorization_code") {
    return failure(400, "unsupported_grant_type", "grant_type must be authorization_code");
  }
  const name = nameOfToken(form.get("code") ?? "");
  const code = await context.client.find(authorizeTokens, { name });
  const client = await context.client.find(clients, { name: stringAt(code, "clientName") ?? "" });
  const asked = basicOf(headers.authorization)?.[0] ?? form.get("client_id");
  const redirect = stringAt(code, "redirectURI") ?? "";
  if (
    !code ||
    !client ||
    asked !== client.metadata.name ||
    (form.get("redirect_uri") ?? redirect) !== redirect ||
    isExpired(code, context.clock.now()) ||
    !isVerified(code, form.get("code_verifier") ?? "")
  ) {
    return failure(
      400,
      "invalid_grant",
      "The provided authorization grant is invalid, expired or was issued to another client.",
    );
  }
  await context.client.delete(authorizeTokens, { name });
  const { expires_in, ...granted } = await grant(context, client, redirect);
  return { status: 200, body: { ...granted, expires_in: Number(expires_in) } };
}

async function grant(
  { client: api }: ApiContext,
  client: KubeObject,
  redirect: string,
): Promise<Readonly<Record<"access_token" | "expires_in" | "scope" | "token_type", string>>> {
  const token = newToken();
  const seconds = numberAt(client, "accessTokenMaxAgeSeconds") ?? accessSeconds;
  await api.create(accessTokens, {
    apiVersion: `${oauthGroup}/v1`,
    kind: "OAuthAccessToken",
    metadata: { name: nameOfToken(token) },
    clientName: client.metadata.name,
    userName: kubeadmin.user,
    userUID: "",
    expiresIn: seconds,
    redirectURI: redirect,
    scopes: [scope],
  });
  return { access_token: token, expires_in: String(seconds), scope, token_type: "Bearer" };
}

function newToken(): string {
  return `sha256~${randomBytes(32).toString("base64url")}`;
}

async function isKubeadmin({ client }: ApiContext, authorization: string | undefined): Promise<boolean> {
  const [login, password] = basicOf(authorization) ?? [];
  return login === kubeadmin.login && password !== undefined && isKubeadminPassword(client, password);
}

/** Parses the user name and password of an HTTP Basic Authorization header. */
function basicOf(authorization = ""): readonly [string, string] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1];
  if (!encoded) return undefined;
  const [name = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  return [name, rest.join(":")];
}

function isExpired(code: KubeObject, now: Date): boolean {
  const created = Date.parse(code.metadata.creationTimestamp ?? "");
  return created + (numberAt(code, "expiresIn") ?? 0) * 1_000 < now.getTime();
}

/**
 * True if the verifier in the token request matches the challenge in the code request (Proof Key for Code Exchange). A match
 * proves that the same client sent both requests. Also true if the code request had no challenge.
 */
function isVerified(code: KubeObject, verifier: string): boolean {
  const { codeChallenge = "", codeChallengeMethod = "" } = stringMapAt(code);
  if (!codeChallenge) return true;
  if (codeChallengeMethod !== "S256") return verifier === codeChallenge;
  return createHash("sha256").update(verifier).digest("base64url") === codeChallenge;
}

function failure(status: number, error: string, error_description: string): OpenResponse {
  return { status, body: { error, error_description } };
}
