import { randomUUID } from "node:crypto";
import type { JsonValue } from "@keelson/base";
import type { Context } from "../language/context.ts";
import { dateTimeAdd, dateTimeFormat } from "./dates.ts";
import { type Arguments, type Functions, takes } from "./signature.ts";
import { valueKey } from "./value-key.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions for numbers, booleans and times. */
export const valueFunctions: Functions = {
  true: takes(0, 0, () => true),
  false: takes(0, 0, () => false),
  null: takes(0, 0, () => null),
  not: takes(1, 1, (args) => !args.bool(0)),
  equals: takes(2, 2, (args) => valueKey(args.any(0), args.budget) === valueKey(args.any(1), args.budget)),
  less: takes(2, 2, (args) => compare(args) < 0),
  lessorequals: takes(2, 2, (args) => compare(args) <= 0),
  greater: takes(2, 2, (args) => compare(args) > 0),
  greaterorequals: takes(2, 2, (args) => compare(args) >= 0),
  bool: takes(1, 1, bool),
  int: takes(1, 1, int),
  add: takes(2, 2, (args) => args.int(0) + args.int(1)),
  sub: takes(2, 2, (args) => args.int(0) - args.int(1)),
  mul: takes(2, 2, (args) => args.int(0) * args.int(1)),
  div: takes(2, 2, (args) => Math.trunc(args.int(0) / divisor(args))),
  mod: takes(2, 2, (args) => args.int(0) % divisor(args)),
  min: takes(1, any, (args) => numbersOf(args).reduce((a, b) => Math.min(a, b))),
  max: takes(1, any, (args) => numbersOf(args).reduce((a, b) => Math.max(a, b))),
  utcnow: takes(0, 1, (args, context) => {
    checkInDefault(args, context);
    return dateTimeFormat(context.now, args.textOr(0, "yyyyMMddTHHmmssZ"));
  }),
  newguid: takes(0, 0, (args, context) => {
    checkInDefault(args, context);
    return randomUUID();
  }),
  datetimeadd: takes(2, 3, (args) => {
    const added = dateTimeAdd(args.text(0), args.text(1));
    if (!added) return args.fail("it expects a date and a duration in ISO 8601");
    return dateTimeFormat(added, args.textOr(2, "yyyy-MM-ddTHH:mm:ssZ"));
  }),
  datetimetoepoch: takes(1, 1, (args) => {
    const at = Date.parse(args.text(0));
    return Number.isNaN(at) ? args.fail("it expects a date in ISO 8601") : Math.floor(at / 1_000);
  }),
  datetimefromepoch: takes(1, 1, (args) =>
    dateTimeFormat(new Date(args.int(0) * 1_000), "yyyy-MM-ddTHH:mm:ssZ"),
  ),
};

function checkInDefault(args: Arguments, { inDefault }: Context): void {
  if (!inDefault) args.fail("it is only allowed in the default values of parameters");
}

function compare(args: Arguments): number {
  if (typeof args.any(0) === "number") return args.int(0) - args.int(1);
  const [a, b] = [args.text(0), args.text(1)];
  return a === b ? 0 : a < b ? -1 : 1;
}

function bool(args: Arguments): JsonValue {
  const value = args.any(0);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (/^true$/i.test(args.text(0)) || args.text(0) === "1") return true;
  if (/^false$/i.test(args.text(0)) || args.text(0) === "0") return false;
  return args.fail(`'${args.text(0)}' is not a boolean`);
}

function int(args: Arguments): JsonValue {
  const value = args.any(0);
  if (typeof value === "number") return Math.trunc(value);
  if (/^\s*[+-]?\d+\s*$/.test(args.text(0))) return Number(args.text(0));
  return args.fail(`'${args.text(0)}' is not an integer`);
}

function divisor(args: Arguments): number {
  return args.int(1) === 0 ? args.fail("division by zero") : args.int(1);
}

/** Returns the numbers in the arguments. If the first argument is an array, the numbers are the elements of this array. */
function numbersOf(args: Arguments): readonly number[] {
  const values = Array.isArray(args.any(0)) ? args.array(0) : args.values;
  const numbers = values.filter((each) => typeof each === "number");
  if (numbers.length === 0 || numbers.length < values.length) args.fail("it expects integers");
  return numbers;
}
