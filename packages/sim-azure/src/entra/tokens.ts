import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import * as jose from "jose";
import type { Store } from "../store/store.ts";
import type { Application } from "./directory.ts";
import type { Principal } from "./principal.ts";

const algorithm = "RS256";
/** Entra's tokens live between 60 and 90 minutes. */
const lifetimeSeconds = 3_600;

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Why a token was refused; `code` is the one ARM answers with. */
export interface TokenRefusal {
  readonly code: string;
  readonly message: string;
}

/** Issues and checks the tenant's access tokens, under one signing key that outlives the process. */
export class Tokens {
  readonly #tenantId: string;
  readonly #clock: Clock;
  readonly #privateKey: jose.CryptoKey | Uint8Array;
  readonly #publicKey: jose.CryptoKey | Uint8Array;
  readonly #publicJwk: jose.JWK;

  private constructor(tenantId: string, clock: Clock, keys: Keys) {
    this.#tenantId = tenantId;
    this.#clock = clock;
    this.#privateKey = keys.privateKey;
    this.#publicKey = keys.publicKey;
    this.#publicJwk = keys.publicJwk;
  }

  static async open(tenantId: string, store: Store, clock: Clock): Promise<Tokens> {
    return new Tokens(tenantId, clock, await signingKeys(store));
  }

  keySet(): jose.JSONWebKeySet {
    return { keys: [this.#publicJwk] };
  }

  async issue(application: Application, audience: string, issuer: string): Promise<IssuedToken> {
    const now = Math.floor(this.#clock.now().getTime() / 1000);
    const claims = {
      oid: application.objectId,
      appid: application.clientId,
      azp: application.clientId,
      tid: this.#tenantId,
      idtyp: "app",
    };
    const accessToken = await new jose.SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: this.#publicJwk.kid ?? "" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(application.objectId)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now - 300)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(this.#privateKey);
    return { accessToken, expiresInSeconds: lifetimeSeconds - 1 };
  }

  /** Who the token is from, or why it is refused. `audiences` count with and without a slash at their end. */
  async verify(token: string, audiences: readonly string[]): Promise<Principal | TokenRefusal> {
    try {
      const { payload } = await jose.jwtVerify(token, this.#publicKey, {
        algorithms: [algorithm],
        audience: audiences.flatMap((each) => [each, `${each}/`, `${each}//`]),
        currentDate: this.#clock.now(),
      });
      if (payload.tid !== this.#tenantId) {
        return refusal("InvalidAuthenticationTokenTenant", "The access token is from the wrong issuer.");
      }
      return { clientId: String(payload.appid), objectId: String(payload.oid) };
    } catch (error) {
      if (error instanceof jose.errors.JWTExpired) {
        return refusal(
          "ExpiredAuthenticationToken",
          "The access token expiry UTC time is earlier than the current UTC time.",
        );
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
