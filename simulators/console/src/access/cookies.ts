/** Longer headers are not parsed. */
const maxHeader = 8_192;

/**
 * Name of the session cookie. Browsers send cookies to all ports of a host, so the name has the port. The prefix makes
 * browsers refuse a cookie that a different site or a plain HTTP server sets.
 */
export function cookieName(port: number): string {
  return `__Host-keelson-console-${port}`;
}

/** Value of a cookie. Undefined if it is missing or sent twice. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxHeader) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Value of `Set-Cookie` for a cookie of the browser session. */
export function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict`;
}

export function clearCookie(name: string): string {
  return `${setCookie(name, "")}; Max-Age=0`;
}
