/** True for an empty string, a URL and a relative reference (RFC 3986). */
export function isUrlReference(text: string): boolean {
  if (text === "") return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what makes it invalid
  if (/[\u0000-\u001f\u007f]/.test(text) || text.startsWith(":")) return false;
  if (/%(?![0-9a-f]{2})/i.test(text.replace(/[?#].*$/s, ""))) return false;
  // A relative reference has no colon before its first slash. A colon there would end a scheme (RFC 3986, 4.2).
  if (!/^[a-z][-+.a-z0-9]*:/i.test(text) && /^[^/?#]*:/.test(text)) return false;
  return URL.canParse(text, "https://localhost");
}
