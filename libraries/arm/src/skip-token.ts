import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts continuation tokens to opaque, unforgeable strings for `$skipToken`. AES-256-GCM with a key
 * derived from `masterKey` (32 bytes). `context` binds a token to its query.
 */
export class SkipTokenSealer {
  readonly #key: Buffer;

  constructor(masterKey: Uint8Array) {
    this.#key = Buffer.from(hkdfSync("sha256", masterKey, "", "keelson skip token", 32));
  }

  seal(continuation: string, context: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(continuation, "utf8"), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
  }

  /** Undefined for a token that this service did not create for this context. */
  open(token: string, context: string): string | undefined {
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length < ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(bytes.length - tagBytes));
    try {
      const text = decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

/** The URL of the next page: the URL the user called, with the token in `$skipToken`. */
export function nextLink(referer: string, token: string): string {
  const url = new URL(referer);
  url.searchParams.set("$skipToken", token);
  return url.toString();
}
