import { randomUUID } from "node:crypto";
import * as jose from "jose";
import { LRUCache } from "lru-cache";
import type { Principal } from "../arm/principal.ts";
import type { OffsetClock } from "../base/offset-clock.ts";
import type { Store } from "../store/store.ts";
import { Directory } from "./directory.ts";

const algorithm = "RS256";
/** Token lifetime in seconds. Entra's tokens are valid for 60 to 90 minutes. */
const lifetimeSeconds = 3_600;
const refreshLifetimeSeconds = 90 * 86_400;

/** `typ` header of access tokens. It distinguishes them from refresh tokens. */
const accessType = "JWT";
const refreshType = "refresh+jwt";

/** Claims about the user for whom the client acts. */
export interface UserClaims {
  readonly userPrincipalName: string;
  readonly displayName: string;
  /** Object IDs of the user's groups. */
  readonly groups: readonly string[];
}

/** Subject of a token. */
export interface TokenSubject {
  readonly clientId: string;
  /** Object ID of the user or the service principal. */
  readonly objectId: string;
  readonly user?: UserClaims;
  /** Delegated permissions of the client. */
  readonly scopes?: readonly string[];
  /** Application permissions of the client. */
  readonly roles?: readonly string[];
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Rejection of a token. `code` is ARM's error code. */
export interface TokenRefusal {
  readonly code: string;
  readonly message: string;
  /** True if the token has expired only because the subscription's clock was advanced. */
  readonly isStale?: true;
}

interface VerifiedToken {
  readonly principal: Principal;
  readonly audience: string;
  /** Offset of the subscription's clock when the token was issued, in ms. */
  readonly aheadMs: number;
  readonly expiresAtMs: number;
}

/** Issues and verifies the tenant's tokens. The signing key persists across restarts. */
export class Tokens {
  readonly #tenantId: string;
  readonly #clock: OffsetClock;
  readonly #directory: Directory;
  readonly #privateKey: jose.CryptoKey | Uint8Array;
  readonly #publicKey: jose.CryptoKey | Uint8Array;
  readonly #publicJwk: jose.JWK;
  /** Cache of verified tokens. Expiry and audience are checked at every use. */
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: 1_000 });

  private constructor(tenantId: string, clock: OffsetClock, directory: Directory, keys: Keys) {
    this.#tenantId = tenantId;
    this.#clock = clock;
    this.#directory = directory;
    this.#privateKey = keys.privateKey;
    this.#publicKey = keys.publicKey;
    this.#publicJwk = keys.publicJwk;
  }

  static async open(tenantId: string, store: Store, clock: OffsetClock): Promise<Tokens> {
    return new Tokens(tenantId, clock, new Directory(store), await signingKeys(store));
  }

  keySet(): jose.JSONWebKeySet {
    return { keys: [this.#publicJwk] };
  }

  /** Issues an access token for the service `audience`. */
  async issue(subject: TokenSubject, audience: string, issuer: string): Promise<IssuedToken> {
    const { clientId, user, scopes = [], roles = [] } = subject;
    const claims = {
      ...this.#common(subject),
      appid: clientId,
      azp: clientId,
      idtyp: user ? "user" : "app",
      ...(user
        ? {
            ...userClaims(user, `${new URL(issuer).origin}/v1.0/users/${subject.objectId}`),
            upn: user.userPrincipalName,
            scp: scopes.join(" "),
          }
        : {}),
      ...(roles.length > 0 ? { roles } : {}),
    };
    const accessToken = await this.#sign(claims, accessType, { issuer, audience, lifetimeSeconds });
    return { accessToken, expiresInSeconds: lifetimeSeconds - 1 };
  }

  /** Issues an ID token for the signed-in user. */
  issueIdToken(
    subject: TokenSubject & { readonly user: UserClaims },
    issuer: string,
    nonce?: string,
  ): Promise<string> {
    const claims = {
      ...this.#common(subject),
      ver: "2.0",
      ...userClaims(subject.user, `${new URL(issuer).origin}/v1.0/users/${subject.objectId}`),
      preferred_username: subject.user.userPrincipalName,
      ...(nonce === undefined ? {} : { nonce }),
    };
    return this.#sign(claims, accessType, { issuer, audience: subject.clientId, lifetimeSeconds });
  }

  /** Issues a refresh token. If `isProven` is set, the client must authenticate again whenever it uses the token. */
  issueRefreshToken(
    { clientId, objectId }: TokenSubject,
    isProven: boolean,
    issuer: string,
  ): Promise<string> {
    const terms = { issuer, audience: clientId, lifetimeSeconds: refreshLifetimeSeconds };
    return this.#sign({ oid: objectId, tid: this.#tenantId, proven: isProven }, refreshType, terms);
  }

  /** Returns the user of a client's refresh token. Returns `undefined` if the token is invalid or expired. */
  async readRefreshToken(
    token: string,
    clientId: string,
  ): Promise<
    { readonly objectId: string; readonly isProven: boolean; readonly issuedAtMs: number } | undefined
  > {
    try {
      const { payload } = await jose.jwtVerify(token, this.#publicKey, {
        algorithms: [algorithm],
        typ: refreshType,
        audience: clientId,
        currentDate: this.#timeOf(token),
      });
      return {
        objectId: String(payload.oid),
        isProven: payload.proven === true,
        issuedAtMs: Number(payload.issuedAtMs),
      };
    } catch {
      return undefined;
    }
  }

  #common({ objectId }: TokenSubject) {
    return { oid: objectId, sub: objectId, tid: this.#tenantId };
  }

  #sign(
    claims: jose.JWTPayload,
    type: string,
    terms: { readonly issuer: string; readonly audience: string; readonly lifetimeSeconds: number },
  ): Promise<string> {
    const { aheadMs, outside } = this.#clock;
    const now = Math.floor(outside.now().getTime() / 1000);
    const issuedAtMs = this.#clock.now().getTime();
    return new jose.SignJWT({
      ...claims,
      ...(type === refreshType ? { issuedAtMs } : {}),
      ...(aheadMs === 0 ? {} : { aheadMs }),
    })
      .setProtectedHeader({ alg: algorithm, typ: type, kid: this.#publicJwk.kid ?? "" })
      .setIssuer(terms.issuer)
      .setAudience(terms.audience)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now - 300)
      .setExpirationTime(now + terms.lifetimeSeconds)
      .sign(this.#privateKey);
  }

  /**
   * Returns the time at which a token's validity is checked. Token times are real times, because external services compare them
   * with their own clocks. The result is therefore the real time plus the clock advance of the subscription since the token was
   * issued.
   */
  #timeOf(token: string): Date {
    const { aheadMs: then = 0 } = jose.decodeJwt(token);
    return new Date(this.#timeSince(Number(then)));
  }

  #timeSince(then: number): number {
    const { aheadMs, outside } = this.#clock;
    return outside.now().getTime() + Math.max(0, aheadMs - then);
  }

  #holds({ aheadMs, expiresAtMs }: VerifiedToken): boolean {
    return this.#timeSince(aheadMs) < expiresAtMs;
  }

  /**
   * Verifies a token. Returns the token's principal, or the reason for rejecting the token. Tokens of deleted principals are
   * rejected (continuous access evaluation). `audiences` match with and without a trailing slash.
   */
  async verify(token: string, audiences: readonly string[]): Promise<Principal | TokenRefusal> {
    const verdict = await this.#verifyToken(token, audiences);
    return "code" in verdict || this.#maySignIn(verdict) ? verdict : revoked;
  }

  #maySignIn({ clientId, objectId, userPrincipalName }: Principal): boolean {
    const entry =
      userPrincipalName === undefined ? this.#directory.find(clientId) : this.#directory.findUser(objectId);
    return entry?.objectId === objectId && !entry.disabled;
  }

  async #verifyToken(token: string, audiences: readonly string[]): Promise<Principal | TokenRefusal> {
    const accepted = audiences.flatMap((each) => [each, `${each}/`, `${each}//`]);
    const known = this.#verified.get(token);
    if (known && this.#holds(known) && accepted.includes(known.audience)) return known.principal;
    try {
      const { payload } = await jose.jwtVerify(token, this.#publicKey, {
        algorithms: [algorithm],
        typ: accessType,
        audience: accepted,
        currentDate: this.#timeOf(token),
      });
      if (payload.tid !== this.#tenantId) {
        return refusal("InvalidAuthenticationTokenTenant", "The access token is from the wrong issuer.");
      }
      const principal = {
        clientId: String(payload.appid),
        objectId: String(payload.oid),
        ...(typeof payload.upn === "string" ? { userPrincipalName: payload.upn } : {}),
      };
      const { aud, aheadMs = 0, exp = 0 } = payload;
      this.#verified.set(token, {
        principal,
        audience: String(aud),
        aheadMs: Number(aheadMs),
        expiresAtMs: exp * 1000,
      });
      return principal;
    } catch (error) {
      if (error instanceof jose.errors.JWTExpired) {
        const isStale = Number(error.payload.exp) * 1000 > this.#clock.outside.now().getTime();
        return {
          code: "ExpiredAuthenticationToken",
          message: "The access token expiry UTC time is earlier than the current UTC time.",
          ...(isStale ? { isStale } : {}),
        };
      }
      if (error instanceof jose.errors.JWTClaimValidationFailed && error.claim === "aud") {
        return refusal(
          "InvalidAuthenticationTokenAudience",
          "The access token has been obtained for the wrong audience or resource.",
        );
      }
      return refusal("InvalidAuthenticationToken", "The access token is invalid.");
    }
  }
}

/** Maximum number of groups in a JWT. If a user has more groups, the token contains a URL for querying the groups. */
const maxGroups = 200;

function userClaims({ displayName, groups }: UserClaims, userUrl: string) {
  if (groups.length > maxGroups) {
    const source = { endpoint: `${userUrl}/getMemberObjects` };
    return { name: displayName, _claim_names: { groups: "src1" }, _claim_sources: { src1: source } };
  }
  return { name: displayName, ...(groups.length > 0 ? { groups } : {}) };
}

const revoked: TokenRefusal = {
  code: "InvalidAuthenticationToken",
  message:
    "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp",
  isStale: true,
};

function refusal(code: string, message: string): TokenRefusal {
  return { code, message };
}

interface Keys {
  readonly privateKey: jose.CryptoKey | Uint8Array;
  readonly publicKey: jose.CryptoKey | Uint8Array;
  readonly publicJwk: jose.JWK;
}

async function signingKeys(store: Store): Promise<Keys> {
  const table = store.table<jose.JWK>("signingKey");
  const privateJwk = table.get("current") ?? (await newKey());
  if (!table.get("current")) {
    store.transaction(() => table.set("current", privateJwk));
    await store.durable();
  }
  const { kty, n, e } = privateJwk;
  const kid = await jose.calculateJwkThumbprint(privateJwk);
  const publicJwk: jose.JWK = {
    kty: kty ?? "",
    ...(n ? { n } : {}),
    ...(e ? { e } : {}),
    kid,
    use: "sig",
    alg: algorithm,
  };
  const privateKey = await jose.importJWK(privateJwk, algorithm);
  return { privateKey, publicKey: await jose.importJWK(publicJwk, algorithm), publicJwk };
}

async function newKey(): Promise<jose.JWK> {
  const { privateKey } = await jose.generateKeyPair(algorithm, { extractable: true });
  return jose.exportJWK(privateKey);
}
