/** Spaces per level of JSON. */
export const indentation = 4;

/** JSON as all answers have it. */
export function renderJson(body: object | string): string {
  return `${JSON.stringify(body, null, indentation)}\n`;
}
