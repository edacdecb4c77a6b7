import { isPlainObject } from "@keelson/base";
import { type FieldRow, fieldRows } from "./field-rows.ts";

/** Maximum length of a line with a comment. */
const columns = 120;

/**
 * Formats an example of a configuration file as JSON. Each field follows its description in the schema, as a comment line.
 * `header` is the first comment of the file.
 */
export function exampleFile(schema: object, example: object, header: string): string {
  const rows = fieldRows(schema);
  return [...comment(header, ""), ...objectLines(rows, example, "", ""), ""].join("\n");
}

function objectLines(
  rows: readonly FieldRow[],
  value: object,
  path: string,
  indent: string,
): readonly string[] {
  const inner = `${indent}  `;
  const entries = Object.entries(value);
  const fields = entries.flatMap(([name, field], at) => {
    const place = path === "" ? name : `${path}.${name}`;
    const [first = "", ...rest] = valueLines(rows, field, place, inner);
    const lines = [`${inner}${JSON.stringify(name)}: ${first}`, ...rest];
    const end = at === entries.length - 1 ? "" : ",";
    const description = descriptionOf(rows, place, value);
    return [...comment(description, inner), ...lines.slice(0, -1), `${lines.at(-1)}${end}`];
  });
  return ["{", ...fields, `${indent}}`];
}

function valueLines(
  rows: readonly FieldRow[],
  value: unknown,
  path: string,
  indent: string,
): readonly string[] {
  const isObject = isPlainObject(value) && Object.keys(value).length > 0;
  return isObject ? objectLines(rows, value, path, indent) : [JSON.stringify(value)];
}

/**
 * Returns the description of a field. If several alternatives of a union have the field, uses the alternative to which the object
 * `parent` belongs.
 */
function descriptionOf(rows: readonly FieldRow[], path: string, parent: object): string {
  const constants = Object.entries(parent).map(([name, value]) => `${name}: ${String(value)}`);
  const found = rows.filter((row) => row.path === path);
  const own = found.find(({ variant }) => variant !== undefined && constants.includes(variant));
  return (own ?? found[0])?.description ?? "";
}

function comment(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < columns)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}// ${word}`);
  }
  return lines;
}
