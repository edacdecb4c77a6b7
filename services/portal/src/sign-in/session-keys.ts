import { createHash, createHmac } from "node:crypto";
import type { Secret } from "@keelson/base";
import * as jose from "jose";

const keyBytes = 32;

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals what browsers keep for the portal: they can neither read nor change it. The first key seals; the others still open, so
 * that keys can be exchanged while people are signed in.
 */
export class SessionKeys {
  #keys: readonly [Key, ...Key[]];

  /** Each is 32 bytes in base64. @throws Error `invalid sessionKey` for any other length */
  constructor(keys: readonly Secret[]) {
    this.#keys = parsed(keys);
  }

  /** Seals and opens by these keys from now on. @throws Error as the constructor does */
  use(keys: readonly Secret[]): void {
    this.#keys = parsed(keys);
  }

  /** `purpose` keeps one kind of cookie from being taken for another. */
  seal(
    purpose: string,
    claims: Readonly<Record<string, unknown>>,
    expires: Date,
    id: string,
  ): Promise<string> {
    const [{ id: kid, bytes }] = this.#keys;
    return new jose.EncryptJWT({ ...claims })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid, typ: purpose })
      .setJti(id)
      .setExpirationTime(expires)
      .encrypt(bytes);
  }

  /** What was sealed; `undefined` for everything else, and what is past its time. */
  async open(purpose: string, sealed: string, now: Date): Promise<jose.JWTPayload | undefined> {
    try {
      const { payload } = await jose.jwtDecrypt(
        sealed,
        ({ kid }) => {
          const key = this.#keys.find(({ id }) => id === kid);
          if (!key) throw new Error("sealed by a key that is not known");
          return key.bytes;
        },
        {
          typ: purpose,
          currentDate: now,
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          requiredClaims: ["exp", "jti"],
        },
      );
      return payload;
    } catch {
      return undefined;
    }
  }

  /** HMACs of `text`, one for each key, the newest first: only who has a key can make one. */
  macs(text: string): readonly string[] {
    return this.#keys.map(({ bytes }) => createHmac("sha256", bytes).update(text).digest("base64url"));
  }
}

function parsed(keys: readonly Secret[]): [Key, ...Key[]] {
  const [first, ...others] = keys.map(keyOf);
  if (!first) throw new Error("invalid sessionKey: there is none");
  return [first, ...others];
}

function keyOf(secret: Secret): Key {
  const bytes = Buffer.from(secret.reveal(), "base64");
  if (bytes.length !== keyBytes)
    throw new Error(`invalid sessionKey: expected ${keyBytes} bytes in base64, not ${bytes.length}`);
  return { id: createHash("sha256").update(bytes).digest("base64url").slice(0, 8), bytes };
}
