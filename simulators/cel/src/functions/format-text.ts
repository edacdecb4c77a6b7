import type { Meter } from "../values/meter.ts";
import { durationText, timestampText } from "../values/time.ts";
import {
  errorValue,
  isError,
  type ListValue,
  type Result,
  sizeOf,
  typeNameOf,
  type Value,
} from "../values/value.ts";
import { doubleText } from "./standard.ts";

/** Maximum precision that JavaScript supports. */
const maxPrecision = 100;
const clause = /%(?:\.(\d{1,3}))?([a-zA-Z%]?)/g;

/** Implements `"%s is %d".format([…])` with the format clauses of cel-go's strings library. */
export function formatText(pattern: string, args: ListValue, meter: Meter): Result {
  let next = 0;
  let failure: Result | undefined;
  const text = pattern.replace(clause, (_, precision: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    const arg = next < args.size ? args.at(next) : errorValue(`index ${next} out of range`);
    next++;
    const shown = isError(arg) ? arg : clauseText(verb, precision ? Number(precision) : 6, arg, meter);
    if (typeof shown === "string") return shown;
    failure ??= shown;
    return "";
  });
  if (failure !== undefined) return failure;
  return next < args.size ? errorValue(`too many arguments supplied to string.format`) : text;
}

/** Rounds a half to the nearest even digit, as in Go. JavaScript rounds a half up. */
function fixedText(value: number, precision: number): string {
  const text = value.toFixed(precision);
  // If a double is exactly halfway between two results, its exact decimal form ends with a 5 directly after the last shown digit.
  const exact = precision < 75 ? value.toFixed(precision + 25) : "";
  const isHalf = /50{24}$/.test(exact);
  const isOdd = /[13579]$/.test(text);
  return isHalf && isOdd ? exact.slice(0, exact.length - (precision === 0 ? 26 : 25)) : text;
}

function clauseText(verb: string, precision: number, value: Value, meter: Meter): Result {
  if (precision > maxPrecision)
    return errorValue(`error during formatting: a precision above ${maxPrecision}`);
  switch (verb) {
    case "s":
      return shownValue(value, meter);
    case "d":
      return isWhole(value) ? shownValue(value, meter) : wrong(verb, value);
    case "f":
      return typeof value === "number" ? fixedText(value, precision) : wrong(verb, value);
    case "e": {
      if (typeof value !== "number") return wrong(verb, value);
      return value.toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
    }
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return integerText(value, 2) ?? wrong(verb, value);
    case "o":
      return integerText(value, 8) ?? wrong(verb, value);
    case "x":
    case "X": {
      meter.spend(sizeOf(value));
      const hex =
        typeof value === "string"
          ? Buffer.from(value).toString("hex")
          : typeof value === "object" && value?.kind === "bytes"
            ? Buffer.from(value.bytes).toString("hex")
            : integerText(value, 16);
      if (hex === undefined) return wrong(verb, value);
      return verb === "X" ? hex.toUpperCase() : hex;
    }
    default:
      return errorValue(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function isWhole(value: Value): boolean {
  return (
    typeof value === "bigint" ||
    typeof value === "number" ||
    (typeof value === "object" && value?.kind === "uint")
  );
}

function integerText(value: Value, radix: number): string | undefined {
  if (typeof value === "bigint") return value.toString(radix);
  return typeof value === "object" && value?.kind === "uint" ? value.value.toString(radix) : undefined;
}

function wrong(verb: string, value: Value): Result {
  return errorValue(`error during formatting: %${verb} cannot format a value of type ${typeNameOf(value)}`);
}

/** Formats a value for `%s`. The cost of each character limits the output for lists that repeat a long string. */
function shownValue(value: Value, meter: Meter): string {
  meter.spend(sizeOf(value));
  return textOf(value, (each) => (each === undefined || isError(each) ? "" : shownValue(each, meter)));
}

function textOf(value: Value, shown: (part: Result | undefined) => string): string {
  if (value === null) return "null";
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (typeof value === "number") return doubleText(value);
  switch (value.kind) {
    case "uint":
      return String(value.value);
    case "bytes":
      return Buffer.from(value.bytes).toString();
    case "timestamp":
      return timestampText(value.nanos);
    case "duration":
      return durationText(value.nanos);
    case "type":
      return value.name;
    case "list":
      return `[${Array.from({ length: value.size }, (_, at) => shown(value.at(at))).join(", ")}]`;
    case "map": {
      const entries = value.keys().map((key) => `${shown(key)}: ${shown(value.get(key))}`);
      return `{${entries.toSorted().join(", ")}}`;
    }
    case "object": {
      const entries = value.fields().map((field) => `${field}: ${shown(value.get(field))}`);
      return `{${entries.toSorted().join(", ")}}`;
    }
    case "optional":
      return value.value === undefined ? "optional.none()" : `optional.of(${shown(value.value)})`;
    case "opaque":
      return value.key;
  }
}
