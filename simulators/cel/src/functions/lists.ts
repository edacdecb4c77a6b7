import { canonicalText, compareMetered, equals } from "../values/equality.ts";
import type { Meter } from "../values/meter.ts";
import {
  bool,
  double,
  duration,
  dyn,
  int,
  listType,
  optionalType,
  parameter,
  type Type,
  uint,
} from "../values/type.ts";
import {
  elementsOf,
  errorValue,
  isError,
  type ListValue,
  listOf,
  none,
  optionalOf,
  type Result,
  uintValue,
  type Value,
} from "../values/value.ts";
import { durationOf, int64 } from "./operators.ts";
import { func, type Library, method, type Overload } from "./overload.ts";

const A = parameter("A");
const listOfA = listType(A);
const each = (size = 1) => size * 2;

/** True if each element is at least as large as its predecessor. */
function isSorted(list: ListValue, meter: Meter): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  return elements.every((value, at) => {
    const before = elements[at - 1];
    return at === 0 || before === undefined || (compareMetered(before, value, meter) ?? 0) <= 0;
  });
}

function extreme(list: ListValue, sign: number, name: string, meter: Meter): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  const [first, ...rest] = elements;
  if (first === undefined) return errorValue(`${name} called on empty list`);
  let best: Value = first;
  for (const value of rest) {
    const order = compareMetered(value, best, meter);
    if (order === undefined) return errorValue("no such overload");
    if (order * sign > 0) best = value;
  }
  return best;
}

function position(list: ListValue, wanted: Value, meter: Meter, fromEnd: boolean): Result {
  for (let step = 0; step < list.size; step++) {
    const at = fromEnd ? list.size - 1 - step : step;
    meter.spend(0.1);
    if (equals(list.at(at), wanted, meter)) return BigInt(at);
  }
  return -1n;
}

function sumOf(type: Type, zero: Value, add: (sum: Value, value: Value) => Result): Overload {
  return method(
    "sum",
    [listType(type)],
    type,
    ([list]) => {
      let sum: Value = zero;
      for (let at = 0; at < list.size; at++) {
        const value = list.at(at);
        if (isError(value)) return value;
        const next = add(sum, value);
        if (isError(next)) return next;
        sum = next;
      }
      return sum;
    },
    each,
  );
}

const mismatch = errorValue("no such overload");

const sums: readonly Overload[] = [
  sumOf(int, 0n, (a, b) => (typeof a === "bigint" && typeof b === "bigint" ? int64(a + b) : mismatch)),
  sumOf(double, 0, (a, b) => (typeof a === "number" && typeof b === "number" ? a + b : mismatch)),
  sumOf(uint, uintValue(0n), (a, b) =>
    isKind(a, "uint") && isKind(b, "uint") ? uintValue(a.value + b.value) : mismatch,
  ),
  sumOf(duration, { kind: "duration", nanos: 0n }, (a, b) =>
    isKind(a, "duration") && isKind(b, "duration") ? durationOf(a.nanos + b.nanos) : mismatch,
  ),
];

function isKind<K extends "uint" | "duration">(
  value: Value,
  kind: K,
): value is Extract<Value, { readonly kind: K }> {
  return typeof value === "object" && value !== null && value.kind === kind;
}

function flattened(list: ListValue, depth: bigint, meter: Meter): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  const flat: Value[] = [];
  for (const value of elements) {
    meter.spend(1);
    if (depth > 0n && typeof value === "object" && value?.kind === "list") {
      const inner = flattened(value, depth - 1n, meter);
      if (typeof inner !== "object" || inner?.kind !== "list") return inner;
      const parts = elementsOf(inner);
      if ("kind" in parts) return parts;
      meter.work(parts.length);
      for (const part of parts) flat.push(part);
    } else flat.push(value);
  }
  return listOf(flat);
}

function distinct(list: ListValue, meter: Meter): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  const known = new Set<string>();
  const kept = elements.filter((value) => {
    meter.spend(1);
    const text = canonicalText(value, meter);
    if (text === undefined) return true;
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
  return listOf(kept);
}

function slice(list: ListValue, from: bigint, to: bigint): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  if (from < 0n || to < 0n) return errorValue(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    return errorValue(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(elements.length))
    return errorValue(`cannot slice(${from}, ${to}), list is length ${elements.length}`);
  return listOf(elements.slice(Number(from), Number(to)));
}

function sorted(list: ListValue, meter: Meter): Result {
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  meter.spend(elements.length * Math.ceil(Math.log2(elements.length + 1)));
  return listOf(elements.toSorted((a, b) => compareMetered(a, b, meter) ?? 0));
}

function end(list: ListValue, at: number): Result {
  if (list.size === 0) return none;
  const value = list.at(at);
  return isError(value) ? value : optionalOf(value);
}

function range(count: bigint, meter: Meter): Result {
  const length = Math.max(0, Number(count));
  meter.spend(length);
  return listOf(Array.from({ length }, (_, at) => BigInt(at)));
}

export const lists: Library = {
  overloads: [
    method("isSorted", [listOfA], bool, ([list], meter) => isSorted(list, meter), each),
    method("min", [listOfA], A, ([list], meter) => extreme(list, -1, "min", meter), each),
    method("max", [listOfA], A, ([list], meter) => extreme(list, 1, "max", meter), each),
    ...sums,
    method("indexOf", [listOfA, A], int, ([list, value], meter) => position(list, value, meter, false)),
    method("lastIndexOf", [listOfA, A], int, ([list, value], meter) => position(list, value, meter, true)),
    method("flatten", [listOfA], listType(dyn), ([list], meter) => flattened(list, 1n, meter)),
    method("flatten", [listOfA, int], listType(dyn), ([list, depth], meter) => flattened(list, depth, meter)),
    method("distinct", [listOfA], listOfA, ([list], meter) => distinct(list, meter)),
    method("slice", [listOfA, int, int], listOfA, ([list, from, to]) => slice(list, from, to), each),
    method("sort", [listOfA], listOfA, ([list], meter) => sorted(list, meter)),
    method(
      "reverse",
      [listOfA],
      listOfA,
      ([list]) => {
        const elements = elementsOf(list);
        return "kind" in elements ? elements : listOf(elements.toReversed());
      },
      each,
    ),
    method("first", [listOfA], optionalType(A), ([list]) => end(list, 0)),
    method("last", [listOfA], optionalType(A), ([list]) => end(list, list.size - 1)),
    func("lists.range", [int], listType(int), ([count], meter) => range(count, meter)),
  ],
};
