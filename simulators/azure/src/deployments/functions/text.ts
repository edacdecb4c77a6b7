import type { JsonValue } from "@keelson/base";
import type { TemplateBudget } from "../language/template-budget.ts";
import { guidOf, uniqueString } from "./hash.ts";
import { type Arguments, type Functions, takes } from "./signature.ts";

const any = Number.POSITIVE_INFINITY;

export const textFunctions: Functions = {
  format: takes(1, any, format),
  uniquestring: takes(1, any, (args) => uniqueString(args.texts())),
  guid: takes(1, any, (args) => guidOf(args.texts())),
  tolower: takes(1, 1, (args) => args.text(0).toLowerCase()),
  toupper: takes(1, 1, (args) => args.text(0).toUpperCase()),
  trim: takes(1, 1, (args) => args.text(0).trim()),
  replace: takes(3, 3, replace),
  split: takes(2, 2, (args) => split(args)),
  join: takes(2, 2, join),
  substring: takes(2, 3, substring),
  startswith: takes(2, 2, (args) => args.text(0).toLowerCase().startsWith(args.text(1).toLowerCase())),
  endswith: takes(2, 2, (args) => args.text(0).toLowerCase().endsWith(args.text(1).toLowerCase())),
  padleft: takes(2, 3, (args) => {
    args.budget.spend(0, Math.max(0, args.int(1)));
    return textOf(args.any(0), args.budget).padStart(args.int(1), args.textOr(2, " "));
  }),
  base64: takes(1, 1, (args) => Buffer.from(args.text(0)).toString("base64")),
  base64tostring: takes(1, 1, (args) => Buffer.from(args.text(0), "base64").toString()),
  base64tojson: takes(1, 1, (args) => parseJson(args, Buffer.from(args.text(0), "base64").toString())),
  json: takes(1, 1, (args) => parseJson(args, args.text(0))),
  uri: takes(2, 2, (args) => {
    const joined = URL.parse(args.text(1), args.text(0));
    return joined ? joined.href : args.fail(`'${args.text(0)}' is not an absolute URI`);
  }),
  uricomponent: takes(1, 1, (args) => {
    // URI encoding produces at most nine bytes per character, one of which is already charged.
    args.budget.spend(0, 8 * args.text(0).length);
    return encodeURIComponent(args.text(0).toWellFormed());
  }),
  uricomponenttostring: takes(1, 1, (args) => decode(args, args.text(0))),
  datauri: takes(
    1,
    1,
    (args) => `data:text/plain;charset=utf8;base64,${Buffer.from(args.text(0)).toString("base64")}`,
  ),
  datauritostring: takes(1, 1, fromDataUri),
  string: takes(1, 1, (args) => textOf(args.any(0), args.budget)),
};

/** Converts a value to a string that can be inserted into a longer string. @throws InvalidTemplate */
export function textOf(value: JsonValue, budget: TemplateBudget): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  budget.measure(value);
  return JSON.stringify(value);
}

/**
 * Charges a string search to the budget. In the worst case, the search compares `part` with `text` at every position.
 * @throws InvalidTemplate
 */
export function spendSearch(text: string, part: string, budget: TemplateBudget): void {
  budget.spend(Math.ceil((text.length * part.length) / 1_024));
}

function replace(args: Arguments): JsonValue {
  const [text, from, to] = [args.text(0), args.text(1), args.text(2)];
  if (from === "") args.fail("the text to replace must not be empty");
  const count = countOf(text, from, args.budget);
  args.budget.spend(count, text.length + count * Math.max(0, to.length - from.length));
  return text.replaceAll(from, () => to);
}

/** Returns the number of occurrences of `part`. */
function countOf(text: string, part: string, budget: TemplateBudget): number {
  spendSearch(text, part, budget);
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

function join(args: Arguments): JsonValue {
  const [values, separator] = [args.array(0), args.text(1)];
  args.budget.spendShallow(values);
  args.budget.spend(0, values.length * separator.length);
  return values.map((each) => textOf(each, args.budget)).join(separator);
}

function split(args: Arguments): JsonValue {
  const separator = args.any(1);
  const separators =
    typeof separator === "string" ? [separator] : args.array(1).map((each) => textOf(each, args.budget));
  return separators.reduce<readonly string[]>(
    (parts, each) => (each === "" ? parts : parts.flatMap((part) => pieces(part, each, args.budget))),
    [args.text(0)],
  );
}

function pieces(text: string, separator: string, budget: TemplateBudget): readonly string[] {
  budget.spend(countOf(text, separator, budget) + 1, text.length);
  return text.split(separator);
}

function substring(args: Arguments): JsonValue {
  const text = args.text(0);
  const start = args.int(1);
  const length = args.count > 2 ? args.int(2) : text.length - start;
  if (start < 0 || length < 0 || start + length > text.length) {
    args.fail(
      `the 'startIndex' '${start}' and 'length' '${length}' must refer to a location within the string of length '${text.length}'`,
    );
  }
  return text.slice(start, start + length);
}

/** Implements `format` with placeholders `{0}`, `{0,5}` and `{0:X4}`. Doubled braces are literal. */
function format(args: Arguments): JsonValue {
  return args
    .text(0)
    .replace(
      /\{\{|\}\}|\{(\d+)(?:,(-?\d+))?(?::([^{}]*))?\}/g,
      (all, index: string | undefined, width: string | undefined, form: string | undefined) => {
        if (index === undefined) return all.slice(1);
        const value = args.values[Number(index) + 1];
        if (value === undefined) {
          return args.fail("the index of an item must be less than the number of arguments");
        }
        const shown = formatted(args, value, form);
        const wide = Number(width ?? 0);
        args.budget.spend(1, Math.max(shown.length, Math.abs(wide)));
        return wide < 0 ? shown.padEnd(-wide) : shown.padStart(wide);
      },
    );
}

/** Maximum number of digits in a number format. */
const maxDigits = 99;

function formatted(args: Arguments, value: JsonValue, form: string | undefined): string {
  if (typeof value !== "number" || !form) return textOf(value, args.budget);
  const digits = Number(form.slice(1) || 0);
  if (digits > maxDigits) return args.fail(`the format '${form}' has more than ${maxDigits} digits`);
  switch (form[0]) {
    case "D":
    case "d":
      return `${value < 0 ? "-" : ""}${String(Math.abs(value)).padStart(digits, "0")}`;
    case "X":
      return value.toString(16).toUpperCase().padStart(digits, "0");
    case "x":
      return value.toString(16).padStart(digits, "0");
    case "N":
    case "n":
      if (Number.isNaN(digits)) return args.fail(`the format '${form}' is not valid`);
      return value.toLocaleString("en-US", {
        minimumFractionDigits: form.length > 1 ? digits : 2,
        maximumFractionDigits: form.length > 1 ? digits : 2,
      });
    default:
      return /^0+$/.test(form) ? String(value).padStart(form.length, "0") : String(value);
  }
}

function parseJson(args: Arguments, text: string): JsonValue {
  // Upper bound for the number of values, because each value needs at least one character and a comma.
  args.budget.spend(Math.ceil(text.length / 2));
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(text);
  } catch {
    return args.fail("its parameter is not valid JSON");
  }
  args.budget.measure(parsed);
  return parsed;
}

function decode(args: Arguments, text: string): JsonValue {
  try {
    return decodeURIComponent(text);
  } catch {
    return args.fail("its parameter is not a valid URI component");
  }
}

function fromDataUri(args: Arguments): JsonValue {
  const found = /^data:([^,]*),(.*)$/s.exec(args.text(0));
  if (!found) return args.fail("its parameter is not a data URI");
  const [, type = "", content = ""] = found;
  return type.endsWith(";base64") ? Buffer.from(content, "base64").toString() : decode(args, content);
}
