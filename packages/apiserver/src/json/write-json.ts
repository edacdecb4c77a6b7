import { exactJson, isPlainObject } from "@keelson/base";
import type { Phases } from "../threads/phases.ts";

/** Characters that are written before others have their turn. */
const partLength = 131_072;
/** Objects nearer to the root are written member by member, what is further inside at once. */
const deepest = 5;

/** The JSON of a value, as `exactJson` gives it, in parts. */
export function* writeJson(value: unknown): Phases<Buffer> {
  const parts: Buffer[] = [];
  let part = "";
  for (const piece of piecesOf(value, 0)) {
    part += piece;
    if (part.length < partLength) continue;
    parts.push(Buffer.from(part));
    part = "";
    yield;
  }
  return Buffer.concat([...parts, Buffer.from(part)]);
}

function* piecesOf(value: unknown, depth: number): Generator<string, void, undefined> {
  if (!isPlainObject(value) || depth >= deepest) {
    yield exactJson(value);
    return;
  }
  let separator = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    yield* piecesOf(member, depth + 1);
  }
  yield separator === "{" ? "{}" : "}";
}
