import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject } from "../../base/json.ts";
import { entriesOf, memberOf } from "../language/members.ts";
import type { TemplateBudget } from "../language/template-budget.ts";
import { type Arguments, describeType, type Functions, takes } from "./signature.ts";
import { spendSearch, textOf } from "./text.ts";
import { valueKey } from "./value-key.ts";

const any = Number.POSITIVE_INFINITY;

export const collectionFunctions: Functions = {
  concat: takes(0, any, (args) =>
    Array.isArray(args.any(0))
      ? args.values.flatMap((_, at) => args.array(at))
      : args.values.map((each) => textOf(each, args.budget)).join(""),
  ),
  array: takes(1, 1, (args) => (Array.isArray(args.any(0)) ? args.any(0) : [args.any(0)])),
  createarray: takes(0, any, (args) => args.values),
  createobject: takes(0, any, createObject),
  contains: takes(2, 2, contains),
  length: takes(1, 1, (args) => lengthOf(args, args.any(0))),
  empty: takes(1, 1, (args) => args.any(0) === null || lengthOf(args, args.any(0)) === 0),
  first: takes(1, 1, (args) => itemAt(args, 0)),
  last: takes(1, 1, (args) => itemAt(args, -1)),
  skip: takes(2, 2, (args) => part(args, Math.max(0, args.int(1)), undefined)),
  take: takes(2, 2, (args) => part(args, 0, Math.max(0, args.int(1)))),
  indexof: takes(2, 2, (args) => indexOf(args, "first")),
  lastindexof: takes(2, 2, (args) => indexOf(args, "last")),
  union: takes(1, any, union),
  intersection: takes(1, any, intersection),
  shallowmerge: takes(1, 1, (args) =>
    Object.fromEntries(
      args.array(0).flatMap((each) => (isJsonObject(each) ? entriesOf(each, args.budget) : [])),
    ),
  ),
  flatten: takes(1, 1, (args) => {
    args.budget.spendShallow(args.array(0));
    return args.array(0).flatMap((each): readonly JsonValue[] => (Array.isArray(each) ? each : [each]));
  }),
  items: takes(1, 1, (args) =>
    entriesOf(args.object(0), args.budget)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({ key, value })),
  ),
  objectkeys: takes(1, 1, (args) =>
    entriesOf(args.object(0), args.budget)
      .map(([key]) => key)
      .toSorted(),
  ),
  range: takes(2, 2, range),
  tryget: takes(2, any, (args) =>
    args.values
      .slice(1)
      .reduce<JsonValue>((holder, name) => memberOf(holder, name, args.budget) ?? null, args.any(0)),
  ),
};

function createObject(args: Arguments): JsonValue {
  if (args.count % 2 === 1) args.fail("it expects an even number of parameters");
  const pairs = Array.from({ length: args.count / 2 }, (_, at) => [args.text(2 * at), args.any(2 * at + 1)]);
  return Object.fromEntries(pairs);
}

function contains(args: Arguments): JsonValue {
  const holder = args.any(0);
  if (typeof holder === "string") {
    const part = textOf(args.any(1), args.budget);
    spendSearch(holder, part, args.budget);
    return holder.includes(part);
  }
  if (Array.isArray(holder)) return holder.some(equalTo(args.any(1), args.budget));
  return memberOf(args.object(0), args.text(1), args.budget) !== undefined;
}

/** Returns a predicate for values equal to `value`. */
function equalTo(value: JsonValue, budget: TemplateBudget): (other: JsonValue) => boolean {
  const key = valueKey(value, budget);
  return (other) => valueKey(other, budget) === key;
}

function lengthOf(args: Arguments, value: JsonValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return entriesOf(value, args.budget).length;
  return args.fail(`it has no use for a value of type '${describeType(value)}'`);
}

/** Returns an element of an array or a character of a string. */
function itemAt(args: Arguments, at: number): JsonValue {
  const value = args.any(0);
  return typeof value === "string" ? (value.at(at) ?? "") : (args.array(0).at(at) ?? null);
}

function part(args: Arguments, from: number, to: number | undefined): JsonValue {
  const value = args.any(0);
  return typeof value === "string" ? value.slice(from, to) : args.array(0).slice(from, to);
}

function indexOf(args: Arguments, which: "first" | "last"): JsonValue {
  const value = args.any(0);
  if (typeof value === "string") {
    const [text, part] = [value.toLowerCase(), args.text(1).toLowerCase()];
    spendSearch(text, part, args.budget);
    return which === "first" ? text.indexOf(part) : text.lastIndexOf(part);
  }
  const same = equalTo(args.any(1), args.budget);
  return which === "first" ? args.array(0).findIndex(same) : args.array(0).findLastIndex(same);
}

/** Merges arrays without duplicates, or merges objects. Properties of later objects take precedence. */
function union(args: Arguments): JsonValue {
  if (Array.isArray(args.any(0))) {
    return distinct(
      args.values.flatMap((_, at) => args.array(at)),
      args.budget,
    );
  }
  return args.values.map((_, at) => args.object(at)).reduce((all, each) => merge(all, each, args.budget));
}

function merge(target: JsonObject, from: JsonObject, budget: TemplateBudget): JsonObject {
  budget.enter();
  const merged = new Map(entriesOf(target, budget));
  for (const [name, value] of entriesOf(from, budget)) {
    const before = merged.get(name);
    merged.set(name, isJsonObject(before) && isJsonObject(value) ? merge(before, value, budget) : value);
  }
  budget.leave();
  return Object.fromEntries(merged);
}

function intersection(args: Arguments): JsonValue {
  const { budget } = args;
  if (Array.isArray(args.any(0))) {
    const others = args.values
      .slice(1)
      .map((_, at) => new Set(args.array(at + 1).map((each) => valueKey(each, budget))));
    return distinct(args.array(0), budget).filter((each) => {
      const key = valueKey(each, budget);
      return others.every((other) => other.has(key));
    });
  }
  const others = args.values.slice(1).map((_, at) => args.object(at + 1));
  return Object.fromEntries(
    entriesOf(args.object(0), budget).filter(([name, value]) => {
      const same = equalTo(value, budget);
      return others.every((other) => Object.hasOwn(other, name) && same(other[name] ?? null));
    }),
  );
}

function distinct(values: readonly JsonValue[], budget: TemplateBudget): readonly JsonValue[] {
  const first = new Map<string, JsonValue>();
  for (const each of values) {
    const key = valueKey(each, budget);
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()];
}

function range(args: Arguments): JsonValue {
  const [start, count] = [args.int(0), args.int(1)];
  if (count < 0 || count > 10_000) args.fail("its second parameter must be from 0 to 10000");
  args.budget.spend(count);
  return Array.from({ length: count }, (_, at) => start + at);
}
