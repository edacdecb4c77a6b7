import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../../json.ts";
import { memberOf } from "../language/members.ts";
import { type Arguments, describeType, type Functions, takes } from "./signature.ts";
import { textOf } from "./text.ts";

const any = Number.POSITIVE_INFINITY;

export const collectionFunctions: Functions = {
  concat: takes(0, any, (args) =>
    Array.isArray(args.any(0))
      ? args.values.flatMap((_, at) => args.array(at))
      : args.values.map(textOf).join(""),
  ),
  array: takes(1, 1, (args) => (Array.isArray(args.any(0)) ? args.any(0) : [args.any(0)])),
  createarray: takes(0, any, (args) => args.values),
  createobject: takes(0, any, createObject),
  contains: takes(2, 2, contains),
  length: takes(1, 1, (args) => lengthOf(args, args.any(0))),
  empty: takes(1, 1, (args) => args.any(0) === null || lengthOf(args, args.any(0)) === 0),
  first: takes(1, 1, (args) => itemsOf(args)[0] ?? (typeof args.any(0) === "string" ? "" : null)),
  last: takes(1, 1, (args) => itemsOf(args).at(-1) ?? (typeof args.any(0) === "string" ? "" : null)),
  skip: takes(2, 2, (args) => part(args, Math.max(0, args.int(1)), undefined)),
  take: takes(2, 2, (args) => part(args, 0, Math.max(0, args.int(1)))),
  indexof: takes(2, 2, (args) => indexOf(args, "first")),
  lastindexof: takes(2, 2, (args) => indexOf(args, "last")),
  union: takes(1, any, union),
  intersection: takes(1, any, intersection),
  shallowmerge: takes(1, 1, (args) =>
    Object.assign({}, ...args.array(0).map((each) => (isJsonObject(each) ? each : {}))),
  ),
  flatten: takes(1, 1, (args) =>
    args.array(0).flatMap((each): readonly JsonValue[] => (Array.isArray(each) ? each : [each])),
  ),
  items: takes(1, 1, (args) =>
    Object.entries(args.object(0))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({ key, value: value ?? null })),
  ),
  objectkeys: takes(1, 1, (args) => Object.keys(args.object(0)).toSorted()),
  range: takes(2, 2, range),
  tryget: takes(2, any, (args) =>
    args.values.slice(1).reduce<JsonValue>((holder, name) => memberOf(holder, name) ?? null, args.any(0)),
  ),
};

function createObject(args: Arguments): JsonValue {
  if (args.count % 2 === 1) args.fail("it expects an even number of parameters");
  const pairs = Array.from({ length: args.count / 2 }, (_, at) => [args.text(2 * at), args.any(2 * at + 1)]);
  return Object.fromEntries(pairs);
}

function contains(args: Arguments): JsonValue {
  const holder = args.any(0);
  if (typeof holder === "string") return holder.includes(textOf(args.any(1)));
  if (Array.isArray(holder)) return holder.some((each) => isDeepStrictEqual(each, args.any(1)));
  return memberOf(args.object(0), args.text(1)) !== undefined;
}

function lengthOf(args: Arguments, value: JsonValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  return args.fail(`it has no use for a value of type '${describeType(value)}'`);
}

/** The elements of an array, or the characters of a text. */
function itemsOf(args: Arguments): readonly JsonValue[] {
  const value = args.any(0);
  return typeof value === "string" ? [...value] : args.array(0);
}

function part(args: Arguments, from: number, to: number | undefined): JsonValue {
  const value = args.any(0);
  return typeof value === "string" ? value.slice(from, to) : args.array(0).slice(from, to);
}

function indexOf(args: Arguments, which: "first" | "last"): JsonValue {
  const value = args.any(0);
  if (typeof value === "string") {
    const [text, part] = [value.toLowerCase(), args.text(1).toLowerCase()];
    return which === "first" ? text.indexOf(part) : text.lastIndexOf(part);
  }
  const same = (each: JsonValue) => isDeepStrictEqual(each, args.any(1));
  return which === "first" ? args.array(0).findIndex(same) : args.array(0).findLastIndex(same);
}

/** Arrays become one without repetition; objects are merged, members of the later ones first in rank. */
function union(args: Arguments): JsonValue {
  if (Array.isArray(args.any(0))) return distinct(args.values.flatMap((_, at) => args.array(at)));
  return args.values.map((_, at) => args.object(at)).reduce(merge);
}

function merge(target: JsonObject, from: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(from)) {
    const before = merged.get(name);
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function intersection(args: Arguments): JsonValue {
  if (Array.isArray(args.any(0))) {
    const others = args.values.slice(1).map((_, at) => args.array(at + 1));
    return distinct(args.array(0)).filter((each) =>
      others.every((other) => other.some((candidate) => isDeepStrictEqual(candidate, each))),
    );
  }
  const others = args.values.slice(1).map((_, at) => args.object(at + 1));
  return Object.fromEntries(
    Object.entries(args.object(0)).filter(([name, value]) =>
      others.every((other) => isDeepStrictEqual(other[name], value)),
    ),
  );
}

function distinct(values: readonly JsonValue[]): readonly JsonValue[] {
  return values.filter((each, at) => values.findIndex((other) => isDeepStrictEqual(other, each)) === at);
}

function range(args: Arguments): JsonValue {
  const [start, count] = [args.int(0), args.int(1)];
  if (count < 0 || count > 10_000) args.fail("its second parameter must be from 0 to 10000");
  return Array.from({ length: count }, (_, at) => start + at);
}
