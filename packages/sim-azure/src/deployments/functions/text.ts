import type { JsonValue } from "@keelson/base";
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
  replace: takes(3, 3, (args) => args.text(0).replaceAll(args.text(1), () => args.text(2))),
  split: takes(2, 2, (args) => split(args)),
  join: takes(2, 2, (args) => args.array(0).map(textOf).join(args.text(1))),
  substring: takes(2, 3, substring),
  startswith: takes(2, 2, (args) => args.text(0).toLowerCase().startsWith(args.text(1).toLowerCase())),
  endswith: takes(2, 2, (args) => args.text(0).toLowerCase().endsWith(args.text(1).toLowerCase())),
  padleft: takes(2, 3, (args) => textOf(args.any(0)).padStart(args.int(1), args.textOr(2, " "))),
  base64: takes(1, 1, (args) => Buffer.from(args.text(0)).toString("base64")),
  base64tostring: takes(1, 1, (args) => Buffer.from(args.text(0), "base64").toString()),
  base64tojson: takes(1, 1, (args) => parseJson(args, Buffer.from(args.text(0), "base64").toString())),
  json: takes(1, 1, (args) => parseJson(args, args.text(0))),
  uri: takes(2, 2, (args) => {
    const joined = URL.parse(args.text(1), args.text(0));
    return joined ? joined.href : args.fail(`'${args.text(0)}' is not an absolute URI`);
  }),
  uricomponent: takes(1, 1, (args) => encodeURIComponent(args.text(0))),
  uricomponenttostring: takes(1, 1, (args) => decode(args)),
  datauri: takes(
    1,
    1,
    (args) => `data:text/plain;charset=utf8;base64,${Buffer.from(args.text(0)).toString("base64")}`,
  ),
  datauritostring: takes(1, 1, fromDataUri),
  string: takes(1, 1, (args) => textOf(args.any(0))),
};

/** A value as it stands inside other text. */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

function split(args: Arguments): JsonValue {
  const separator = args.any(1);
  const separators = typeof separator === "string" ? [separator] : args.array(1).map(textOf);
  return separators.reduce<readonly string[]>(
    (parts, each) => (each === "" ? parts : parts.flatMap((part) => part.split(each))),
    [args.text(0)],
  );
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

/** `{0}`, `{0,5}`, `{0:X4}`; braces that stand twice are text. */
function format(args: Arguments): JsonValue {
  return args
    .text(0)
    .replace(
      /\{\{|\}\}|\{(\d+)(?:,(-?\d+))?(?::([^}]*))?\}/g,
      (all, index: string | undefined, width: string | undefined, form: string | undefined) => {
        if (index === undefined) return all.slice(1);
        const value = args.values[Number(index) + 1];
        if (value === undefined) {
          return args.fail("the index of an item must be less than the number of arguments");
        }
        const shown = formatted(value, form);
        const wide = Number(width ?? 0);
        return wide < 0 ? shown.padEnd(-wide) : shown.padStart(wide);
      },
    );
}

function formatted(value: JsonValue, form: string | undefined): string {
  if (typeof value !== "number" || !form) return textOf(value);
  const digits = Number(form.slice(1) || 0);
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
      return value.toLocaleString("en-US", {
        minimumFractionDigits: form.length > 1 ? digits : 2,
        maximumFractionDigits: form.length > 1 ? digits : 2,
      });
    default:
      return /^0+$/.test(form) ? String(value).padStart(form.length, "0") : String(value);
  }
}

function parseJson(args: Arguments, text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return args.fail("its parameter is not valid JSON");
  }
}

function decode(args: Arguments): JsonValue {
  try {
    return decodeURIComponent(args.text(0));
  } catch {
    return args.fail("its parameter is not a valid URI component");
  }
}

function fromDataUri(args: Arguments): JsonValue {
  const found = /^data:[^,]*?(;base64)?,(.*)$/s.exec(args.text(0));
  if (!found) return args.fail("its parameter is not a data URI");
  const [, base64, content = ""] = found;
  return base64 ? Buffer.from(content, "base64").toString() : decodeURIComponent(content);
}
