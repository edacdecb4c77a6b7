import { createHash, createHmac } from "node:crypto";
import type { Secret } from "@keelson/base";
import * as jose from "jose";

const keyBytes = 32;

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals values that browsers store for the portal. Browsers can neither read nor change them. The first key
 * seals, and all keys open, so that keys can be rotated while people are signed in.
 */
export class SessionKeys {
  readonly #keys: readonly [Key, ...Key[]];

  /** Each is 32 bytes in base64. @throws Error `invalid sessionKey` for any other length */
  constructor(keys: readonly Secret[]) {
    const [first, ...others] = keys.map(keyOf);
    if (!first) throw new Error("invalid sessionKey: there is none");
    this.#keys = [first, ...others];
  }

  /** `purpose` separates the kinds of cookies. */
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

  /** Returns the sealed value. Undefined for other values and after the expiry. */
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

  /** Returns HMACs of `text`, one per key, newest first. They can be computed only with a key. */
  macs(text: string): readonly string[] {
    return this.#keys.map(({ bytes }) => createHmac("sha256", bytes).update(text).digest("base64url"));
  }
}

function keyOf(secret: Secret): Key {
  const bytes = Buffer.from(secret.reveal(), "base64");
  if (bytes.length !== keyBytes)
    throw new Error(`invalid sessionKey: expected ${keyBytes} bytes in base64, not ${bytes.length}`);
  return { id: createHash("sha256").update(bytes).digest("base64url").slice(0, 8), bytes };
}
