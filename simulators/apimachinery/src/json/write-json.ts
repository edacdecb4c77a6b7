import { exactJson, isPlainObject } from "@keelson/base";
import type { Phases } from "../turns/phases.ts";

/** Number of characters to serialize before the generator yields to other requests. */
const partLength = 131_072;
/** Maximum depth at which objects and lists are serialized in several steps. Deeper values are serialized in one step. */
const deepest = 5;

/** Serializes a value like `exactJson`, but in several steps. */
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

/** Number of items of a long list that are serialized in one step. */
const together = 512;
/**
 * Objects with at most this number of properties are serialized property by property. Larger objects are usually maps of small
 * values, which are serialized faster in one step.
 */
const widest = 8_192;

function* piecesOf(value: unknown, depth: number): Generator<string, void, undefined> {
  if (typeof value !== "object" || value === null || depth >= deepest) yield exactJson(value);
  else if (Array.isArray(value)) yield* piecesOfList(value, depth);
  else yield* piecesOfMembers(value, depth);
}

function* piecesOfList(list: readonly unknown[], depth: number): Generator<string, void, undefined> {
  let separator = "[";
  const step = list.length > together ? together : 1;
  for (let at = 0; at < list.length; at += step) {
    yield separator;
    separator = ",";
    if (step === 1) yield* piecesOf(list[at], depth + 1);
    else yield exactJson(list.slice(at, at + step)).slice(1, -1);
  }
  yield separator === "[" ? "[]" : "]";
}

function* piecesOfMembers(value: object, depth: number): Generator<string, void, undefined> {
  const names = Object.keys(value);
  if (!isPlainObject(value) || names.length > widest) {
    yield exactJson(value);
    return;
  }
  let separator = "{";
  for (const name of names) {
    const member = value[name];
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    yield* piecesOf(member, depth + 1);
  }
  yield separator === "{" ? "{}" : "}";
}
