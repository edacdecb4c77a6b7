import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
const maxSealed = 1_000;
/** Maximum total length of a context and a continuation, in characters. Tokens for longer values are not cached. */
const maxNameLength = 1_024;

/** Keys of 32 bytes. Only the first key encrypts. All keys decrypt. */
export type SkipTokenKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * Encrypts continuation tokens for `$skipToken`, so that clients can neither read nor forge them. Uses AES-256-GCM with a key
 * derived from a 32-byte master key. `context` binds a token to its query.
 */
export class SkipTokenSealer {
  #keys: readonly [KeyObject, ...KeyObject[]];
  /**
   * Recent tokens by context and continuation. Clients often read a page repeatedly, and cached tokens need no second encryption.
   */
  #sealed = new Map<string, string>();

  constructor(...masterKeys: SkipTokenKeys) {
    this.#keys = derived(masterKeys);
  }

  /** Replaces the keys for all later calls. */
  useKeys(masterKeys: SkipTokenKeys): void {
    this.#keys = derived(masterKeys);
    this.#sealed = new Map();
  }

  seal(continuation: string, context: string): string {
    const name = JSON.stringify([context, continuation]);
    const known = this.#sealed.get(name);
    if (known !== undefined) return known;
    const token = this.#encrypt(continuation, context);
    if (name.length > maxNameLength) return token;
    const [oldest] = this.#sealed.keys();
    if (this.#sealed.size >= maxSealed && oldest !== undefined) this.#sealed.delete(oldest);
    this.#sealed.set(name, token);
    return token;
  }

  #encrypt(continuation: string, context: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#keys[0], iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(continuation, "utf8"), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
  }

  /** Decrypts a token. Returns undefined if this service did not create the token for this context. */
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

/**
 * Returns the keys that are derived from the master keys. They are kept as key objects, because creating a key object takes
 * longer than using it.
 */
function derived([first, ...others]: SkipTokenKeys): [KeyObject, ...KeyObject[]] {
  const derive = (key: Uint8Array) =>
    createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "keelson skip token", 32)));
  return [derive(first), ...others.map(derive)];
}

function openWith(key: KeyObject, bytes: Buffer, context: string): string | undefined {
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

/** Returns the URL of the next page: the client's original URL with the token in `$skipToken`. */
export function nextLink(referer: string, token: string): string {
  const url = new URL(referer);
  url.searchParams.set("$skipToken", token);
  return url.toString();
}
