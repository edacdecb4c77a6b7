import { createHash, createPrivateKey, type KeyObject, type webcrypto, X509Certificate } from "node:crypto";
import {
  type Clock,
  http1Only,
  isPlainObject,
  type KeyPair,
  Secret,
  stringsAt,
  withTimeout,
} from "@keelson/base";
import * as openid from "openid-client";
import { Agent, type RequestInit, fetch as undiciFetch } from "undici";

export interface EntraIdOptions {
  /** Base URL of the identity provider, such as `https://login.microsoftonline.com/`. */
  readonly loginEndpoint: string;
  readonly tenantId: string;
  readonly clientId: string;
  /** Credential of the application: a certificate or a secret. */
  readonly credential: { readonly certificate: KeyPair } | { readonly secret: Secret };
  /** URL of Microsoft Graph. It is queried if a person has more groups than a token can contain. */
  readonly graphEndpoint: string;
  /** Resource of tokens for Microsoft Graph. Default: `https://graph.microsoft.com`. */
  readonly graphAudience?: string;
  /** CAs (PEM) to trust besides the well-known ones. */
  readonly caPem?: string;
  /** Scope of the admin API. Default: people get no token for it. */
  readonly scope?: string;
}

/** State of a sign-in that has begun. The portal needs it to complete the sign-in. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

/** Tokens of a person for the admin API. */
export interface AdminTokens {
  readonly accessToken: Secret;
  /** Absent if the identity provider issued none. */
  readonly refreshToken?: Secret;
  /** End of the access token. */
  readonly expiresAt: Date;
}

export interface SignedInPerson {
  readonly username: string;
  /** `TENANT/OBJECT`, which the person cannot choose. Absent if the token has no such claims. */
  readonly subject?: string;
  readonly tokens?: AdminTokens;
  /** The requested groups that the person is a member of. */
  readonly groups: readonly string[];
}

const requestMs = 10_000;
const maxBytes = 2 ** 20;

/** Signs people in by the code flow of OpenID Connect, with PKCE and a nonce. Disposal ends its connections. */
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
      connect: options.caPem === undefined ? {} : { ca: options.caPem },
    });
  }

  /** Replaces the application's credential by this certificate. */
  useCertificate(certificate: KeyPair): void {
    this.#credential = { certificate };
    this.#configuration = undefined;
  }

  /** Begins a sign-in. Returns the URL for the browser, and the state to store until the browser returns to `redirectUri`. */
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

  /** Completes a sign-in and returns the person. `callback` is the URL of the redirect. @throws Error if the provider, the token or its claims are invalid */
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

  /** Returns new tokens of a person. @throws Error if the identity provider refuses them */
  async refresh(refreshToken: Secret): Promise<AdminTokens> {
    const configuration = await this.#configured();
    const tokens = await openid.refreshTokenGrant(
      configuration,
      refreshToken.reveal(),
      this.#scopeParameter(),
    );
    // A provider that does not rotate refresh tokens omits them.
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

  /** Read once it is needed, and again after a failure: the portal starts without its identity provider. */
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

  /** Returns the groups of `groupIds` that contain a person, directly or through nested groups. */
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
    // Graph accepts at most twenty IDs per request.
    for (let at = 0; at < groupIds.length; at += 20) {
      const answer = await this.#fetch(
        `${graph}/v1.0/users/${encodeURIComponent(objectId)}/checkMemberGroups`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
          body: JSON.stringify({ groupIds: groupIds.slice(at, at + 20) }),
          signal: withTimeout(signal, requestMs),
        },
      );
      if (!answer.ok) throw new Error(`Microsoft Graph answered ${answer.status} for the groups of a person`);
      const body: unknown = await answer.json();
      found.push(...stringsAt(body, "value"));
    }
    return found;
  }

  async #fetch(url: string, options: RequestInit): Promise<Response> {
    const answer = await undiciFetch(url, { ...options, dispatcher: this.#agent });
    const { status, headers } = answer;
    return new Response(await boundedBytes(answer.body), { status, headers: [...headers] });
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

/** Entra ID replaces more than 200 groups by a reference. */
function hasTooManyGroups(claims: openid.IDToken): boolean {
  const names = claims._claim_names;
  return (isPlainObject(names) && "groups" in names) || claims.hasgroups === true;
}

/** Entra ID finds the certificate by its thumbprint in the header of the assertion. */
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
