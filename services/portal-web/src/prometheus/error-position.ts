const position = /(?:^|\s)(\d{1,6}):(\d{1,6}): parse error/;
/** Maximum number of characters that are shown on each side of the error's position. */
const context = 60;

/**
 * Returns the part of a query around the position of a Prometheus parse error. A caret below the query marks the position.
 * Undefined for errors without a position in the query.
 */
export function errorPosition(query: string, message: string): string | undefined {
  const [, row = "", column = ""] = position.exec(message) ?? [];
  const line = query.split("\n")[Number(row) - 1];
  const at = Number(column) - 1;
  if (line === undefined || at < 0 || at > line.length) return undefined;
  const from = Math.max(0, at - context);
  return `${line.slice(from, at + context)}\n${" ".repeat(at - from)}^`;
}
