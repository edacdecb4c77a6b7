import { randomBytes } from "node:crypto";
import { errors } from "../documents/errors.ts";
import type { KeySet } from "./key-source.ts";

export const keyBytes = 32;

/** Encryption keys of secrets. They are looked up at each use, so a rotation requires no restart. */
export interface Keyring {
  /** Returns the ID of the key that encrypts new writes. */
  currentKeyId(): string;
  /**
   * Returns the key with this ID (32 bytes), or `undefined` if the keyring does not contain it. The bytes of a key never change.
   */
  key(id: string): Uint8Array | undefined;
}

/** Keyring with keys that can be rotated while it is in use. */
export interface MutableKeyring extends Keyring {
  /** Adds `key` as the current key. Older keys are required until no document uses them. */
  rotate(id: string, key: Uint8Array): void;
}

/**
 * Creates a keyring.
 * @throws InvalidKey if a key is not 32 bytes long, or if no key has the ID `current`
 */
export function createKeyring(set: KeySet): MutableKeyring {
  const keys = checkedKeys(set);
  let { current } = set;
  return {
    currentKeyId: () => current,
    key: (id) => keys.get(id),
    rotate(id, key) {
      keys.set(id, checked(id, key));
      current = id;
    },
  };
}

/**
 * Returns copies of the keys, so that they never change.
 * @throws InvalidKey if a key is not 32 bytes long, or if no key has the ID `current`
 */
export function checkedKeys({ current, keys }: KeySet): Map<string, Uint8Array> {
  const copies = new Map<string, Uint8Array>();
  for (const [id, key] of Object.entries(keys)) copies.set(id, checked(id, key));
  if (!copies.has(current))
    throw errors.InvalidKey(`The current key ${current} is not in the keyring: add it.`);
  return copies;
}

/** Returns a new random key of 32 bytes. */
export function generateKey(): Uint8Array {
  return new Uint8Array(randomBytes(keyBytes));
}

function checked(id: string, key: Uint8Array): Uint8Array {
  if (key.byteLength === keyBytes) return Uint8Array.from(key);
  throw errors.InvalidKey(`Key ${id} has ${key.byteLength} bytes; an AES-256 key has ${keyBytes}.`);
}
