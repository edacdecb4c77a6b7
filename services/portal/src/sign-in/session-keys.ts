import { createHash, createHmac } from "node:crypto";
import type { Secret } from "@keelson/base";
import * as jose from "jose";

const keyBytes = 32;

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Encrypts values that browsers store for the portal. Browsers can neither read nor change these values. The first key encrypts,
 * and all keys can decrypt. Keys can therefore be rotated while people are signed in.
 */
export class SessionKeys {
  #keys: readonly [Key, ...Key[]];

  /**
   * Keys of 32 bytes in base64.
   * @throws Error `invalid sessionKey` for any other length
   */
  constructor(keys: readonly Secret[]) {
    this.#keys = parsed(keys);
  }

  /**
   * Replaces the keys.
   * @throws the same Error as the constructor
   */
  use(keys: readonly Secret[]): void {
    this.#keys = parsed(keys);
  }

  /** Encrypts a value. `purpose` is the kind of cookie. A value can be decrypted only with the same `purpose`. */
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

  /** Decrypts a value. Undefined if the value has expired, or if it was encrypted with a key that is not in the list of keys. */
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

  /** Returns the HMACs of `text`, one for each key. The HMAC of the newest key is first. */
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
