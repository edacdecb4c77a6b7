/** Maximum length of a parsed Cookie header in characters. Longer headers are ignored. */
const maxHeader = 8_192;

/**
 * Returns the name of the session cookie. The name contains the port because browsers send cookies to all ports of a host. With
 * the prefix `__Host-`, browsers accept the cookie only from this host and over HTTPS.
 */
export function cookieName(port: number): string {
  return `__Host-keelson-console-${port}`;
}

/** Returns the value of a cookie. Undefined if the cookie is missing or sent twice, or if the header is too long. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxHeader) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the `Set-Cookie` header of a session cookie. */
export function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict`;
}

export function clearCookie(name: string): string {
  return `${setCookie(name, "")}; Max-Age=0`;
}
