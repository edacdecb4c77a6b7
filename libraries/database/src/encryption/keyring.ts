import { randomBytes } from "node:crypto";
import { errors } from "../documents/errors.ts";
import type { KeySet } from "./key-source.ts";

export const keyBytes = 32;

/** Keys of secrets. They are read at each use, so that a rotation needs no restart. */
export interface Keyring {
  /** The key of new writes. */
  currentKeyId(): string;
  /** Returns 32 bytes that never change, or `undefined` if the keyring does not have the key. */
  key(id: string): Uint8Array | undefined;
}

/** A keyring that rotates while in use. */
export interface MutableKeyring extends Keyring {
  /** Adds `key` and encrypts new writes with it. Old keys are required as long as documents use them. */
  rotate(id: string, key: Uint8Array): void;
}

/** @throws InvalidKey unless every key has 32 bytes and `current` is one of them. */
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
 * Copies the keys, so that they never change. @throws InvalidKey unless every key has 32 bytes and `current`
 * is one of them.
 */
export function checkedKeys({ current, keys }: KeySet): Map<string, Uint8Array> {
  const copies = new Map<string, Uint8Array>();
  for (const [id, key] of Object.entries(keys)) copies.set(id, checked(id, key));
  if (!copies.has(current))
    throw errors.InvalidKey(`The current key ${current} is not in the keyring: add it.`);
  return copies;
}

/** A new random key, 32 bytes. */
export function generateKey(): Uint8Array {
  return new Uint8Array(randomBytes(keyBytes));
}

function checked(id: string, key: Uint8Array): Uint8Array {
  if (key.byteLength === keyBytes) return Uint8Array.from(key);
  throw errors.InvalidKey(`Key ${id} has ${key.byteLength} bytes; an AES-256 key has ${keyBytes}.`);
}
