import { readFile } from "node:fs/promises";
import { isPlainObject, objectAt, tryParseJson } from "@keelson/base";
import { errors } from "../documents/errors.ts";

/** Encryption keys (32 bytes) by ID, and the ID of the current key, which encrypts new writes. */
export interface KeySet {
  readonly current: string;
  readonly keys: Readonly<Record<string, Uint8Array>>;
}

/**
 * Source of encryption keys, for example a file or a key vault. It is read periodically, so keys can change without a restart.
 */
export interface KeySource {
  /** Name of the source for messages. It must not contain keys. */
  readonly name: string;
  read(signal: AbortSignal): Promise<KeySet>;
}

/** Returns a source that reads a JSON file: `{ "current": "k2", "keys": { "k1": "<base64>", "k2": "<base64>" } }`. */
export function keyFile(path: string): KeySource {
  return {
    name: `file ${path}`,
    async read(signal) {
      return parseKeySet(await readFile(path, { encoding: "utf8", signal }), path);
    },
  };
}

/** Parses a key set. @throws InvalidKey naming the invalid field, but not its content */
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
