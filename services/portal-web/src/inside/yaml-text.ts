/** Matches strings that need quotes, because YAML would read them as a different type. */
const reserved =
  /^(?:~|\.+|null|true|false|yes|no|on|off|y|n|[-+]?(?:0[xob][\da-f_]+|\.?\d[\d_]*\.?[\d_]*(?:e[-+]?\d+)?|\.inf)|\.nan)$/i;
const plainString = /^[A-Za-z0-9_./][A-Za-z0-9_./@ -]*$/;
/** Matches strings that can be written as a YAML block scalar. All lines are printable, and the first line is not indented. */
const blockString =
  /^(?=\S)[^\p{Cc}\p{Zl}\p{Zp}\ufeff\ud800-\udfff]*(?:\n[^\p{Cc}\p{Zl}\p{Zp}\ufeff\ud800-\udfff]*)+$/u;

/** Formats a JSON value as YAML 1.2. Parsing the result returns an equal value. */
export function yamlText(value: unknown): string {
  const lines: string[] = [];
  write(lines, "", value, "");
  return `${lines.join("\n")}\n`;
}

/** Writes a value after `prefix`, which ends with a key or a dash. All lines after the first are indented with `indent`. */
function write(lines: string[], prefix: string, value: unknown, indent: string): void {
  if (Array.isArray(value) && value.length > 0) {
    if (prefix !== "") lines.push(prefix);
    for (const item of value) writeItem(lines, item, indent);
    return;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    if (prefix !== "") lines.push(prefix);
    for (const [name, field] of Object.entries(value))
      write(lines, `${indent}${keyText(name)}:`, field, `${indent}  `);
    return;
  }
  const space = prefix === "" ? "" : " ";
  if (typeof value === "string" && prefix !== "" && blockString.test(value)) {
    const body = value.replace(/\n+$/, "");
    const ends = value.length - body.length;
    const marker = ends === 0 ? "|-" : ends === 1 ? "|" : "|+";
    const kept = ends > 1 ? `${body}${"\n".repeat(ends - 1)}` : body;
    lines.push(`${prefix} ${marker}`, ...kept.split("\n").map((line) => (line === "" ? "" : indent + line)));
    return;
  }
  lines.push(`${prefix}${space}${scalarText(value)}`);
}

function writeItem(lines: string[], item: unknown, indent: string): void {
  const inner: string[] = [];
  write(inner, isScalar(item) ? `${indent}-` : "", item, `${indent}  `);
  const [first = "", ...others] = inner;
  // The first line of an object or a nested list in a list follows directly after the dash.
  lines.push(isScalar(item) ? first : `${indent}- ${first.slice(indent.length + 2)}`, ...others);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isScalar = (value: unknown): boolean => !isObject(value) || Object.keys(value).length === 0;

const keyText = (name: string): string =>
  plainString.test(name) && !reserved.test(name) && !name.endsWith(" ") ? name : quoted(name);

function scalarText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = plainString.test(value) && !reserved.test(value) && !value.endsWith(" ");
  return isPlain ? value : quoted(value);
}

/** Quotes a string for YAML. A JSON string is valid YAML, except for characters that YAML documents must not contain. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
