const lineWidth = 110;

/** Prints a value as TypeScript in the repository's format. Objects take a line per field. */
export function literalText(value: unknown, indent = "", before = 0): string {
  if (Array.isArray(value)) return arrayText(value, indent, before);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => {
    const field = `${indent}  ${/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name)}: `;
    return `${field}${literalText(each, `${indent}  `, field.length)},\n`;
  });
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

/** Prints an array in one line if it fits after `before` characters and has no objects. */
function arrayText(values: readonly unknown[], indent: string, before: number): string {
  const line = `[${values.map((each) => literalText(each)).join(", ")}]`;
  if (!line.includes("\n") && before + line.length < lineWidth) return line;
  return `[\n${values.map((each) => `${indent}  ${literalText(each, `${indent}  `)},\n`).join("")}${indent}]`;
}
