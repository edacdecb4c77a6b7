import type { Phases } from "@keelson/apimachinery";
import type { ListPage } from "../../registry/list.ts";
import type { StoredObject } from "../../storage/stored-object.ts";

/** Number of bytes to encode before the generator yields to other requests. */
const partBytes = 131_072;

/** Encodes the objects of a page. The generator may yield to other requests between two objects. */
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
