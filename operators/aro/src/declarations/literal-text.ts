const lineWidth = 110;

/**
 * Formats a value as TypeScript in the repository's style. An array or object is on one line if it contains at most one object
 * and the line is short enough. `before` is the number of characters before the value.
 */
export function literalText(value: unknown, indent = "", before = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const key = /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name);
    return [Array.isArray(value) ? "" : `${key}: `, each];
  });
  if (entries.length === 0) return (open + close).replace("  ", "");
  const line = `${open}${entries.map(([name, each]) => name + literalText(each)).join(", ")}${close}`;
  const isSimple = !line.includes("\n") && line.lastIndexOf("{") <= 1;
  if (isSimple && before + line.length < lineWidth) return line;
  const lines = entries.map(
    ([name, each]) =>
      `${indent}  ${name}${literalText(each, `${indent}  `, indent.length + 2 + name.length)},\n`,
  );
  return `${open.trim()}\n${lines.join("")}${indent}${close.trim()}`;
}
