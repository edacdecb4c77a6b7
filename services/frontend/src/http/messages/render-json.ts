/** Number of spaces per nesting level in JSON. */
export const indentation = 4;

/** Serializes JSON in the format of all responses. */
export function renderJson(body: object | string): string {
  return `${JSON.stringify(body, null, indentation)}\n`;
}
