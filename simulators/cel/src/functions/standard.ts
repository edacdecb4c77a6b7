import { withRegex } from "../values/match-text.ts";
import type { Meter } from "../values/meter.ts";
import { durationText, parseDuration, parseTimestamp, timestampText } from "../values/time.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listType,
  mapType,
  parameter,
  string,
  timestamp,
  uint,
} from "../values/type.ts";
import { errorValue, type Result, typeNameOf, uintValue } from "../values/value.ts";
import { durationOf, int64, timestampOf } from "./operators.ts";
import { func, type Library, method, type Overload } from "./overload.ts";

const A = parameter("A");
const B = parameter("B");

const perTenth = (first = 1) => Math.ceil(first * 0.1);
const bySecond = (first = 1, second = 1) => Math.ceil(first * 0.1) * Math.max(1, Math.ceil(second * 0.1));
const matching = (text = 1, pattern = 1) => Math.ceil((text + 1) * 0.1) * Math.ceil(pattern * 0.25);

/** Returns the number of Unicode characters, not of UTF-16 units. */
function characterCount(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
}

const sizes: readonly Overload[] = [func, method].flatMap((declare) => [
  declare("size", [string], int, ([text]) => BigInt(characterCount(text)), perTenth),
  declare("size", [bytes], int, ([content], meter) => {
    meter.work(content.bytes.length * 0.1);
    return BigInt(content.bytes.length);
  }),
  declare("size", [listType(A)], int, ([list]) => BigInt(list.size)),
  declare("size", [mapType(A, B)], int, ([map]) => BigInt(map.size)),
]);

const texts: readonly Overload[] = [
  method("contains", [string, string], bool, ([text, part]) => text.includes(part), bySecond),
  method(
    "startsWith",
    [string, string],
    bool,
    ([text, part]) => text.startsWith(part),
    (_, n = 1) => n * 0.1,
  ),
  method(
    "endsWith",
    [string, string],
    bool,
    ([text, part]) => text.endsWith(part),
    (_, n = 1) => n * 0.1,
  ),
  ...[func, method].map((declare) =>
    declare(
      "matches",
      [string, string],
      bool,
      ([text, pattern], meter) => matches(text, pattern, meter),
      matching,
    ),
  ),
];

function matches(text: string, pattern: string, meter: Meter): Result {
  return (
    withRegex(pattern, text, meter, (regex) => regex.test(text)) ??
    errorValue(`error parsing regexp: invalid pattern: \`${pattern.slice(0, 200)}\``)
  );
}

/** Converts a number to an int and drops the fraction. */
function truncated(value: number): Result {
  if (!Number.isFinite(value) || value >= 2 ** 63 || value <= -(2 ** 63))
    return errorValue("integer overflow");
  return BigInt(Math.trunc(value));
}

function unsigned(value: bigint): Result {
  return value < 0n || value >= 2n ** 64n ? errorValue("unsigned integer overflow") : uintValue(value);
}

function parsedInt(text: string): Result {
  return /^[+-]?\d{1,30}$/.test(text)
    ? int64(BigInt(text.replace("+", "")))
    : errorValue(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

/** Formats a double like Go. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const small = value !== 0 && Math.abs(value) < 1e-4;
  return (small ? value.toExponential() : String(value)).replace(/e([+-])(\d)$/, "e$10$2");
}

function parsedDouble(text: string): Result {
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  return errorValue(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const conversions: readonly Overload[] = [
  func("int", [int], int, ([value]) => value),
  func("int", [uint], int, ([{ value }]) => int64(value)),
  func("int", [double], int, ([value]) => truncated(value)),
  func("int", [string], int, ([text]) => parsedInt(text)),
  func("int", [timestamp], int, ([{ nanos }]) => floorSeconds(nanos)),
  func("int", [duration], int, ([{ nanos }]) => nanos),
  func("uint", [uint], uint, ([value]) => value),
  func("uint", [int], uint, ([value]) => unsigned(value)),
  func("uint", [double], uint, ([value]) =>
    value >= 0 && value < 2 ** 64
      ? uintValue(BigInt(Math.trunc(value)))
      : errorValue("unsigned integer overflow"),
  ),
  func("uint", [string], uint, ([text]) =>
    /^\d{1,30}$/.test(text) ? unsigned(BigInt(text)) : errorValue("strconv.ParseUint: invalid syntax"),
  ),
  func("double", [double], double, ([value]) => value),
  func("double", [int], double, ([value]) => Number(value)),
  func("double", [uint], double, ([{ value }]) => Number(value)),
  func("double", [string], double, ([text]) => parsedDouble(text)),
  func("bool", [bool], bool, ([value]) => value),
  func(
    "bool",
    [string],
    bool,
    ([text]) =>
      booleans.get(text) ?? errorValue(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`),
  ),
  func("string", [string], string, ([value]) => value),
  func("string", [bool], string, ([value]) => String(value)),
  func("string", [int], string, ([value]) => String(value)),
  func("string", [uint], string, ([{ value }]) => String(value)),
  func("string", [double], string, ([value]) => doubleText(value)),
  func("string", [bytes], string, ([content]) => decoded(content.bytes), perTenth),
  func("string", [timestamp], string, ([{ nanos }]) => timestampText(nanos)),
  func("string", [duration], string, ([{ nanos }]) => durationText(nanos)),
  func("bytes", [bytes], bytes, ([value]) => value),
  func("bytes", [string], bytes, ([text]) => ({ kind: "bytes", bytes: Buffer.from(text) }), perTenth),
  func("timestamp", [timestamp], timestamp, ([value]) => value),
  func("timestamp", [int], timestamp, ([value]) => timestampOf(value * 1_000_000_000n)),
  func("timestamp", [string], timestamp, ([text]) => {
    const nanos = parseTimestamp(text);
    return nanos === undefined
      ? errorValue(`cannot parse ${JSON.stringify(text)} as a timestamp`)
      : timestampOf(nanos);
  }),
  func("duration", [duration], duration, ([value]) => value),
  func("duration", [int], duration, ([value]) => durationOf(value)),
  func("duration", [string], duration, ([text]) => {
    const nanos = parseDuration(text);
    return nanos === undefined
      ? errorValue(`time: invalid duration ${JSON.stringify(text)}`)
      : durationOf(nanos);
  }),
  func("type", [A], dyn, ([value]) => ({ kind: "type", name: typeNameOf(value) })),
];

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 1_000_000_000n;
  return nanos < 0n && seconds * 1_000_000_000n !== nanos ? seconds - 1n : seconds;
}

function decoded(content: Uint8Array): Result {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return errorValue("invalid UTF-8 in bytes, cannot convert to string");
  }
}

export const standard: Library = { overloads: [...sizes, ...texts, ...conversions] };
