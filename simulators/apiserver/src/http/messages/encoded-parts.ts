import type { Phases } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** Bytes to encode before other requests have their turn. */
const partBytes = 131_072;

/** Encodes the objects of a page one after the other. */
export function* encodedParts(
  { objects }: ListPage,
  encode: (stored: StoredObject) => readonly Buffer[],
): Phases<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const stored of objects) {
    parts.push(...encode(stored));
    bytes += stored.size;
    if (bytes < partBytes) continue;
    bytes = 0;
    yield;
  }
  return parts;
}
