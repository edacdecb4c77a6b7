import { compare, equals, identityOf, keyed } from "../values/equality.ts";
import type { Meter } from "../values/meter.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listType,
  mapType,
  optionalType,
  parameter,
  string,
  type Type,
  timestamp,
  uint,
} from "../values/type.ts";
import {
  elementsOf,
  errorValue,
  isError,
  type ListValue,
  listOf,
  type MapValue,
  none,
  optionalOf,
  type Result,
  uintValue,
  type Value,
} from "../values/value.ts";
import { forDynamic, func, type Library, type Overload } from "./overload.ts";

const A = parameter("A");
const B = parameter("B");
const listOfA = listType(A);
const mapOfAB = mapType(A, B);
const numbers = [int, uint, double];
const ordered: readonly Type[] = [bool, int, uint, double, string, bytes, timestamp, duration];

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** Returns an int, or an error if the value exceeds 64 bits. */
export function int64(value: bigint): Result {
  return value < minInt || value > maxInt ? errorValue("integer overflow") : value;
}

function uint64(value: bigint): Result {
  return value < 0n || value >= 2n ** 64n ? errorValue("unsigned integer overflow") : uintValue(value);
}

const second = 1_000_000_000n;

/** Returns a timestamp. Returns an error outside the years 1 to 9999, as in cel-go. */
export function timestampOf(nanos: bigint): Result {
  const isInRange = nanos >= -62_135_596_800n * second && nanos < 253_402_300_800n * second;
  if (!isInRange) return errorValue("timestamp overflow");
  return { kind: "timestamp", nanos };
}

export function durationOf(nanos: bigint): Result {
  return nanos < minInt || nanos > maxInt ? errorValue("duration overflow") : { kind: "duration", nanos };
}

const perTen = (...sizes: number[]) => sizes.reduce((sum, each) => sum + each, 0) * 0.1;

function divided(a: bigint, b: bigint, what: "division" | "modulus"): bigint | undefined {
  if (b === 0n) return undefined;
  return what === "division" ? a / b : a % b;
}

const arithmetic: readonly Overload[] = [
  func("_+_", [int, int], int, ([a, b]) => int64(a + b)),
  func("_-_", [int, int], int, ([a, b]) => int64(a - b)),
  func("_*_", [int, int], int, ([a, b]) => int64(a * b)),
  func("_/_", [int, int], int, ([a, b]) => int64Of(divided(a, b, "division"), "division by zero")),
  func("_%_", [int, int], int, ([a, b]) => int64Of(divided(a, b, "modulus"), "modulus by zero")),
  func("_+_", [uint, uint], uint, ([a, b]) => uint64(a.value + b.value)),
  func("_-_", [uint, uint], uint, ([a, b]) => uint64(a.value - b.value)),
  func("_*_", [uint, uint], uint, ([a, b]) => uint64(a.value * b.value)),
  func("_/_", [uint, uint], uint, ([a, b]) =>
    b.value === 0n ? errorValue("division by zero") : uintValue(a.value / b.value),
  ),
  func("_%_", [uint, uint], uint, ([a, b]) =>
    b.value === 0n ? errorValue("modulus by zero") : uintValue(a.value % b.value),
  ),
  func("_+_", [double, double], double, ([a, b]) => a + b),
  func("_-_", [double, double], double, ([a, b]) => a - b),
  func("_*_", [double, double], double, ([a, b]) => a * b),
  func("_/_", [double, double], double, ([a, b]) => a / b),
  func("-_", [int], int, ([a]) => int64(-a)),
  func("-_", [double], double, ([a]) => -a),
  func("_+_", [string, string], string, ([a, b]) => a + b, perTen),
  func(
    "_+_",
    [bytes, bytes],
    bytes,
    ([a, b]) => ({ kind: "bytes", bytes: Buffer.concat([a.bytes, b.bytes]) }),
    perTen,
  ),
  func("_+_", [listOfA, listOfA], listOfA, ([a, b], meter) => concatenated(a, b, meter), perTen),
  func("_+_", [timestamp, duration], timestamp, ([a, b]) => timestampOf(a.nanos + b.nanos)),
  func("_+_", [duration, timestamp], timestamp, ([a, b]) => timestampOf(a.nanos + b.nanos)),
  func("_+_", [duration, duration], duration, ([a, b]) => durationOf(a.nanos + b.nanos)),
  func("_-_", [timestamp, timestamp], duration, ([a, b]) => durationOf(a.nanos - b.nanos)),
  func("_-_", [timestamp, duration], timestamp, ([a, b]) => timestampOf(a.nanos - b.nanos)),
  func("_-_", [duration, duration], duration, ([a, b]) => durationOf(a.nanos - b.nanos)),
];

function int64Of(value: bigint | undefined, otherwise: string): Result {
  return value === undefined ? errorValue(otherwise) : int64(value);
}

/**
 * Concatenates two lists. For two lists of type `set`, returns their union. For two lists of type `map`, elements of `b` replace
 * elements of `a` with equal keys.
 */
function concatenated(a: ListValue, b: ListValue, meter: Meter): Result {
  const left = elementsOf(a);
  const right = elementsOf(b);
  if ("kind" in left) return left;
  if ("kind" in right) return right;
  const known = a.shape && keyed(a, meter);
  meter.work(left.length + right.length);
  if (!a.shape || !known) return listOf([...left, ...right]);
  const merged = new Map(known);
  for (const [at, element] of right.entries()) merged.set(identityOf(a, element) ?? `+${at}`, element);
  return { ...listOf([...merged.values()]), shape: a.shape };
}

const comparisons = [
  { name: "_<_", holds: (order: number) => order < 0 },
  { name: "_<=_", holds: (order: number) => order <= 0 },
  { name: "_>_", holds: (order: number) => order > 0 },
  { name: "_>=_", holds: (order: number) => order >= 0 },
].flatMap(({ name, holds }): readonly Overload[] => {
  const run = ([a, b]: readonly unknown[]): Result => {
    const order = isValue(a) && isValue(b) ? compare(a, b) : undefined;
    return order === undefined ? false : holds(order);
  };
  const pairs = [
    ...ordered.map((type) => [type, type] as const),
    ...numbers.flatMap((left) =>
      numbers.filter((right) => right !== left).map((right) => [left, right] as const),
    ),
  ];
  return pairs.map(([left, right]) =>
    func(name, [left, right], bool, run, (x = 1, y = 1) => Math.min(x, y) * 0.1),
  );
});

function isValue(value: unknown): value is Value {
  return value !== undefined;
}

const containers: readonly Overload[] = [
  func("_[_]", [listOfA, int], A, ([list, at]) => elementAt(list, at)),
  forDynamic(
    func("_[_]", [listOfA, double], A, ([list, at]) =>
      Number.isSafeInteger(at) ? elementAt(list, BigInt(at)) : errorValue(`unsupported index value: ${at}`),
    ),
  ),
  forDynamic(func("_[_]", [listOfA, uint], A, ([list, { value }]) => elementAt(list, value))),
  func("_[_]", [mapOfAB, A], B, ([map, key]) => {
    const found = map.get(key);
    return found === undefined ? noSuchKey(key) : found;
  }),
  func("_[?_]", [listOfA, int], optionalType(A), ([list, at]) =>
    at >= 0n && at < BigInt(list.size) ? wrapped(list.at(Number(at))) : none,
  ),
  func("_[?_]", [mapOfAB, A], optionalType(B), ([map, key]) => wrapped(map.get(key))),
  func("_[?_]", [optionalType(listOfA), int], optionalType(A), ([optional, at]) => {
    const list = optional.value;
    if (typeof list !== "object" || list?.kind !== "list") return none;
    return at >= 0n && at < BigInt(list.size) ? wrapped(list.at(Number(at))) : none;
  }),
  func("_[?_]", [optionalType(mapOfAB), A], optionalType(B), ([{ value }, key]) =>
    typeof value === "object" && value?.kind === "map" ? wrapped(value.get(key)) : none,
  ),
  func("_[_]", [optionalType(listOfA), int], optionalType(A), ([{ value }, at]) => {
    if (typeof value !== "object" || value?.kind !== "list") return none;
    return at >= 0n && at < BigInt(value.size) ? wrapped(value.at(Number(at))) : none;
  }),
  func("_[_]", [optionalType(mapOfAB), A], optionalType(B), ([{ value }, key]) => {
    return typeof value === "object" && value?.kind === "map" ? wrapped(value.get(key)) : none;
  }),
  func("@in", [A, listOfA], bool, ([wanted, list], meter) => {
    meter.spend(list.size);
    for (let at = 0; at < list.size; at++) {
      if (equals(wanted, list.at(at), meter)) return true;
    }
    return false;
  }),
  func("@in", [A, mapOfAB], bool, ([key, map]: readonly [Value, MapValue]) => map.get(key) !== undefined),
];

function elementAt(list: ListValue, at: bigint): Result {
  if (at < 0n || at >= BigInt(list.size)) return errorValue(`index out of bounds: ${at}`);
  return list.at(Number(at));
}

function noSuchKey(key: Value): Result {
  return errorValue(`no such key: ${String(typeof key === "object" ? "" : key)}`);
}

function wrapped(result: Result | undefined): Result {
  if (result === undefined) return none;
  return isError(result) ? result : optionalOf(result);
}

const logic: readonly Overload[] = [
  func("!_", [bool], bool, ([a]) => !a),
  func("_==_", [A, A], bool, ([a, b], meter) => equals(a, b, meter)),
  func("_!=_", [A, A], bool, ([a, b], meter) => !equals(a, b, meter)),
  func("dyn", [A], dyn, ([a]) => a),
];

export const operators: Library = { overloads: [...arithmetic, ...comparisons, ...containers, ...logic] };
