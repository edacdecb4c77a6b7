import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/** Keys of 32 bytes. The first seals, all open. */
export type SkipTokenKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * Encrypts continuation tokens to opaque, unforgeable strings for `$skipToken`. AES-256-GCM with a key
 * derived from a master key (32 bytes). `context` binds a token to its query.
 */
export class SkipTokenSealer {
  #keys: readonly [Buffer, ...Buffer[]];

  constructor(...masterKeys: SkipTokenKeys) {
    this.#keys = derived(masterKeys);
  }

  /** Seals and opens by these keys from now on. */
  useKeys(masterKeys: SkipTokenKeys): void {
    this.#keys = derived(masterKeys);
  }

  seal(continuation: string, context: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#keys[0], iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(continuation, "utf8"), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
  }

  /** Undefined for a token that this service did not create for this context. */
  open(token: string, context: string): string | undefined {
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length < ivBytes + tagBytes) return undefined;
    for (const key of this.#keys) {
      const text = openWith(key, bytes, context);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function derived([first, ...others]: SkipTokenKeys): [Buffer, ...Buffer[]] {
  const derive = (key: Uint8Array) => Buffer.from(hkdfSync("sha256", key, "", "keelson skip token", 32));
  return [derive(first), ...others.map(derive)];
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    const text = decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The URL of the next page: the URL the user called, with the token in `$skipToken`. */
export function nextLink(referer: string, token: string): string {
  const url = new URL(referer);
  url.searchParams.set("$skipToken", token);
  return url.toString();
}
