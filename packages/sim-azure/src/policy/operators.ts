import type { JsonValue } from "@keelson/base";
import { matchesPattern } from "../authorization/pattern.ts";
import { isJsonObject } from "../json.ts";

type Operator = (value: JsonValue | undefined, wanted: JsonValue) => boolean;

const equals: Operator = (value, wanted) =>
  typeof value === "string" && typeof wanted === "string"
    ? value.toLowerCase() === wanted.toLowerCase()
    : String(value ?? "").toLowerCase() === String(wanted ?? "").toLowerCase();

const like: Operator = (value, wanted) => matchesPattern(String(wanted), String(value ?? ""));

const isIn: Operator = (value, wanted) =>
  Array.isArray(wanted) && wanted.some((each: JsonValue) => equals(value, each));

const contains: Operator = (value, wanted) =>
  Array.isArray(value)
    ? value.some((each: JsonValue) => equals(each, wanted))
    : String(value ?? "")
        .toLowerCase()
        .includes(String(wanted).toLowerCase());

const containsKey: Operator = (value, wanted) =>
  isJsonObject(value) && Object.keys(value).some((each) => equals(each, wanted));

/** `#` stands for a digit, `?` for a letter, `.` for anything; whether case counts is the operator's. */
const match =
  (flags: string): Operator =>
  (value, wanted) => {
    const pattern = String(wanted)
      .replace(/[\\^$*+()[\]{}|]/g, "\\$&")
      .replaceAll("#", "\\d")
      .replaceAll("?", "[A-Za-z]");
    return new RegExp(`^${pattern}$`, flags).test(String(value ?? ""));
  };

const compare =
  (holds: (difference: number) => boolean): Operator =>
  (value, wanted) => {
    if (typeof value === "number" && typeof wanted === "number") return holds(value - wanted);
    return (
      typeof value === "string" &&
      typeof wanted === "string" &&
      holds(value < wanted ? -1 : value > wanted ? 1 : 0)
    );
  };

/** The conditions of policies by lower-case name; those that begin with `not` are the others turned round. */
const operators = new Map<string, Operator>(
  Object.entries({
    equals,
    like,
    in: isIn,
    contains,
    containskey: containsKey,
    match: match(""),
    matchinsensitively: match("i"),
    less: compare((difference) => difference < 0),
    lessorequals: compare((difference) => difference <= 0),
    greater: compare((difference) => difference > 0),
    greaterorequals: compare((difference) => difference >= 0),
    exists: (value, wanted) =>
      (value !== undefined && value !== null) === (String(wanted).toLowerCase() === "true"),
  }),
);

/** `undefined` for what is no condition. */
export function findOperator(name: string): Operator | undefined {
  const lower = name.toLowerCase();
  const plain = operators.get(lower);
  if (plain) return plain;
  const turned = lower.startsWith("not") ? operators.get(lower.slice(3)) : undefined;
  return turned && ((value, wanted) => !turned(value, wanted));
}
