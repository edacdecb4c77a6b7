import { readFile } from "node:fs/promises";
import { isPlainObject, objectAt, tryParseJson } from "@keelson/base";
import { errors } from "../documents/errors.ts";

/** Keys of 32 bytes by ID, and the ID of the key that encrypts new writes. */
export interface KeySet {
  readonly current: string;
  readonly keys: Readonly<Record<string, Uint8Array>>;
}

/**
 * Source of keys, for example a file or a key vault. It is read periodically, so that keys change without a
 * restart.
 */
export interface KeySource {
  /** Name of the source in messages. It contains no key. */
  readonly name: string;
  read(signal: AbortSignal): Promise<KeySet>;
}

/** A JSON file `{ "current": "k2", "keys": { "k1": "<base64>", "k2": "<base64>" } }`. */
export function keyFile(path: string): KeySource {
  return {
    name: `file ${path}`,
    async read(signal) {
      return parseKeySet(await readFile(path, { encoding: "utf8", signal }), path);
    },
  };
}

/** Parses a key set. @throws InvalidKey naming the invalid field without its content */
export function parseKeySet(text: string, place: string): KeySet {
  const value = tryParseJson(text);
  const { current, keys } = objectAt(value);
  if (typeof current !== "string")
    throw errors.InvalidKey(`${place} has no string "current": the ID of a key.`);
  if (!isPlainObject(keys))
    throw errors.InvalidKey(`${place} has no object "keys": IDs and their keys in base64.`);
  const decoded = Object.entries(keys).map(([id, key]): [string, Uint8Array] => {
    if (typeof key !== "string") throw errors.InvalidKey(`Key ${id} of ${place} is not a string in base64.`);
    return [id, Buffer.from(key, "base64")];
  });
  return { current, keys: Object.fromEntries(decoded) };
}
