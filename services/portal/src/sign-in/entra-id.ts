import { createHash, createPrivateKey, type KeyObject, type webcrypto, X509Certificate } from "node:crypto";
import {
  type Clock,
  http1Only,
  httpConnectTimeoutMs,
  isPlainObject,
  type KeyPair,
  messageOf,
  Secret,
  stringsAt,
  withTimeout,
} from "@keelson/base";
import * as openid from "openid-client";
import { Agent, type RequestInit, fetch as undiciFetch } from "undici";

export interface EntraIdOptions {
  /** Base URL of the identity provider, for example `https://login.microsoftonline.com/`. */
  readonly loginEndpoint: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Credential of the application, either a certificate or a secret. */
  readonly credential: { readonly certificate: KeyPair } | { readonly secret: Secret };
  /** URL of Microsoft Graph, which the portal queries if a person has more groups than a token can contain. */
  readonly graphEndpoint: string;
  /** Audience of Microsoft Graph tokens. Default: `https://graph.microsoft.com`. */
  readonly graphAudience?: string;
  /** CA certificates (PEM) that are trusted in addition to public CAs. */
  readonly caPem?: string;
  /** Scope of the admin API. Default: the portal requests no tokens for the admin API. */
  readonly scope?: string;
}

/** State of a sign-in that is not complete. The portal needs this state to complete the sign-in. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** Tokens with which the portal calls the admin API for a person. */
export interface AdminTokens {
  readonly accessToken: Secret;
  /** Refresh token. Undefined if the identity provider issued none. */
  readonly refreshToken?: Secret;
  /** Expiry time of the access token. */
  readonly expiresAt: Date;
}

export interface SignedInPerson {
  readonly username: string;
  /**
   * Subject in the form `TENANT/OBJECT`, which the person cannot change. Undefined if the token lacks the claims for tenant and
   * object.
   */
  readonly subject?: string;
  readonly tokens?: AdminTokens;
  /** Configured groups to which the person belongs. */
  readonly groups: readonly string[];
}

/** Reason for a failed sign-in. */
export interface SignInFailure {
  /** Error code of the identity provider, for example `AADSTS700027`. Undefined if it sent no error response. */
  readonly code?: string;
  readonly reason: string;
}

/** Maximum length of a reason, in characters. */
const maxReason = 1_000;

/** Returns the reason for an error of `EntraId.complete`. It contains no tokens. */
export function signInFailure(error: unknown): SignInFailure {
  if (!(error instanceof openid.ResponseBodyError)) return { reason: messageOf(error) };
  const reason = (error.error_description ?? error.error).slice(0, maxReason);
  const code = /^AADSTS\d{1,9}/.exec(reason)?.[0] ?? error.error.replace(/[^\w.-]/g, "").slice(0, 100);
  return { code, reason };
}

const requestMs = 10_000;
const maxBytes = 2 ** 20;

/** Signs people in with the authorization code flow of OpenID Connect, with PKCE and a nonce. Disposal closes the connections. */
export class EntraId implements AsyncDisposable {
  readonly #options: EntraIdOptions & { readonly clock: Clock };
  readonly #agent: Agent;
  #credential: EntraIdOptions["credential"];
  #configuration: Promise<openid.Configuration> | undefined;

  constructor(options: EntraIdOptions & { readonly clock: Clock }) {
    this.#options = options;
    this.#credential = options.credential;
    this.#agent = new Agent({
      ...http1Only,
      connect: { timeout: httpConnectTimeoutMs, ca: options.caPem },
    });
  }

  /** Replaces the application's credential with this certificate. */
  useCertificate(certificate: KeyPair): void {
    this.#credential = { certificate };
    this.#configuration = undefined;
  }

  /**
   * Starts a sign-in. Returns the URL for the browser, and the state of the sign-in. The caller must store the state until the
   * browser returns to `redirectUri`.
   */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    const configuration = await this.#configured();
    const pending = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#scope("openid profile"),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    });
    return { url, pending };
  }

  /**
   * Completes a sign-in and returns the person. `callback` is the URL to which the browser was redirected.
   * @throws Error if the provider's response, the token or its claims are invalid
   */
  async complete(
    callback: URL,
    { state, nonce, verifier }: PendingSignIn,
    groupsAsked: readonly string[],
    signal: AbortSignal,
  ): Promise<SignedInPerson> {
    const configuration = await this.#configured();
    const tokens = await openid.authorizationCodeGrant(
      configuration,
      callback,
      {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      },
      this.#scopeParameter(),
    );
    const claims = tokens.claims();
    const username = claims?.preferred_username;
    if (!claims || typeof username !== "string" || username === "")
      throw new Error("the ID token names no preferred_username");
    const { tid, oid } = claims;
    const person = {
      username,
      ...(typeof tid === "string" && typeof oid === "string" ? { subject: `${tid}/${oid}` } : {}),
      ...(this.#options.scope === undefined ? {} : { tokens: tokensOf(tokens, this.#options.clock) }),
    };
    if (!hasTooManyGroups(claims)) return { ...person, groups: stringsAt(claims.groups) };
    return { ...person, groups: await this.#groupsOf(String(oid), groupsAsked, signal) };
  }

  /**
   * Renews a person's tokens.
   * @throws Error if the identity provider refuses
   */
  async refresh(refreshToken: Secret): Promise<AdminTokens> {
    const configuration = await this.#configured();
    const tokens = await openid.refreshTokenGrant(
      configuration,
      refreshToken.reveal(),
      this.#scopeParameter(),
    );
    // If the provider does not rotate refresh tokens, its response contains no new refresh token.
    return { refreshToken, ...tokensOf(tokens, this.#options.clock) };
  }

  #scope(ofSignIn: string): string {
    const { scope } = this.#options;
    return scope === undefined ? ofSignIn : `${ofSignIn} offline_access ${scope}`;
  }

  #scopeParameter(): Record<string, string> {
    return this.#options.scope === undefined ? {} : { scope: this.#scope("openid profile") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * Reads the provider's configuration on first use. A failed read is repeated on the next use. The portal can therefore start
   * while the identity provider is unavailable.
   */
  #configured(): Promise<openid.Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<openid.Configuration> {
    const { loginEndpoint, tenantId, clientId } = this.#options;
    const credential = this.#credential;
    const authority = `${loginEndpoint.replace(/\/$/, "")}/${tenantId}`;
    const issuer = new URL(`${authority}/v2.0`);
    const authentication =
      "secret" in credential
        ? openid.ClientSecretPost(credential.secret.reveal())
        : await certificateAssertion(credential.certificate, `${authority}/oauth2/v2.0/token`);
    return await openid.discovery(issuer, clientId, undefined, authentication, {
      [openid.customFetch]: (url, { body, ...options }) =>
        this.#fetch(url, body === undefined ? options : { ...options, body }),
      timeout: requestMs / 1000,
    });
  }

  /** Returns the groups in `groupIds` to which a person belongs, directly or through nested groups. */
  async #groupsOf(
    objectId: string,
    groupIds: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { graphEndpoint, graphAudience = "https://graph.microsoft.com" } = this.#options;
    const graph = graphEndpoint.replace(/\/$/, "");
    const token = await openid.clientCredentialsGrant(await this.#configured(), {
      scope: `${graphAudience}/.default`,
    });
    const found: string[] = [];
    // Microsoft Graph accepts at most twenty IDs per request.
    for (let at = 0; at < groupIds.length; at += 20) {
      const response = await this.#fetch(
        `${graph}/v1.0/users/${encodeURIComponent(objectId)}/checkMemberGroups`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
          body: JSON.stringify({ groupIds: groupIds.slice(at, at + 20) }),
          signal: withTimeout(signal, requestMs),
        },
      );
      if (!response.ok)
        throw new Error(`Microsoft Graph returned status ${response.status} for the groups of a person`);
      const body: unknown = await response.json();
      found.push(...stringsAt(body, "value"));
    }
    return found;
  }

  async #fetch(url: string, options: RequestInit): Promise<Response> {
    const response = await undiciFetch(url, { ...options, dispatcher: this.#agent });
    const { status, headers } = response;
    return new Response(await boundedBytes(response.body), { status, headers: [...headers] });
  }
}

function tokensOf(
  {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: seconds = 0,
  }: openid.TokenEndpointResponse,
  clock: Clock,
): AdminTokens {
  return {
    accessToken: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
    expiresAt: new Date(clock.now().getTime() + seconds * 1_000),
  };
}

async function boundedBytes(body: AsyncIterable<Uint8Array> | null): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the identity provider answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * True if the token contains a reference to the groups instead of the groups. Entra ID issues such tokens for people with more
 * than 200 groups.
 */
function hasTooManyGroups(claims: openid.IDToken): boolean {
  const names = claims._claim_names;
  return (isPlainObject(names) && "groups" in names) || claims.hasgroups === true;
}

/**
 * Returns a client assertion, which is signed with the certificate. Entra ID finds the certificate by the thumbprint in the
 * assertion's header.
 */
async function certificateAssertion(
  { certificatePem, privateKeyPem }: KeyPair,
  audience: string,
): Promise<openid.ClientAuth> {
  const key = await importKey(createPrivateKey(privateKeyPem));
  const thumbprint = createHash("sha256").update(new X509Certificate(certificatePem).raw).digest("base64url");
  return openid.PrivateKeyJwt(key, {
    [openid.modifyAssertion](header, payload) {
      header["x5t#S256"] = thumbprint;
      payload.aud = audience;
    },
  });
}

function importKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const algorithm =
    key.asymmetricKeyType === "rsa"
      ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
      : { name: "ECDSA", namedCurve: "P-256" };
  const der = key.export({ type: "pkcs8", format: "der" });
  return crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
}
