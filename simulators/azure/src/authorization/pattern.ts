/** True if the string matches a pattern such as `Microsoft.Network/*`. `*` matches any characters. Case-insensitive. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.toLowerCase().split("*");
  const whole = text.toLowerCase();
  const last = parts.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return whole.endsWith(last) && whole.length - last.length >= at;
}
