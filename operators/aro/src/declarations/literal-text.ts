const lineWidth = 110;

/** Formats a value as TypeScript in the repository's style. Each field of an object has its own line. */
export function literalText(value: unknown, indent = "", before = 0): string {
  if (Array.isArray(value)) return arrayText(value, indent, before);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => {
    const field = `${indent}  ${/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name)}: `;
    return `${field}${literalText(each, `${indent}  `, field.length)},\n`;
  });
  return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
}

/**
 * Formats an array on one line if it contains no objects and the line is short enough. `before` is the number of characters
 * before the array.
 */
function arrayText(values: readonly unknown[], indent: string, before: number): string {
  const line = `[${values.map((each) => literalText(each)).join(", ")}]`;
  if (!line.includes("\n") && before + line.length < lineWidth) return line;
  return `[\n${values.map((each) => `${indent}  ${literalText(each, `${indent}  `)},\n`).join("")}${indent}]`;
}
