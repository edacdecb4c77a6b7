/**
 * Maximum size of the cookie header in bytes. Larger headers are not parsed, because the portal's own cookies never need so much
 * space.
 */
const maxBytes = 8_192;

/**
 * Returns the value of a cookie in a request. Undefined if the cookie is missing or occurs twice, or if the header is too large.
 */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxBytes) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  // If there are two cookies with this name, a different site in the same domain may have set one of them. The portal cannot
  // determine which of the two it has set itself.
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns a `Set-Cookie` value. Browsers send the cookie only over HTTPS and hide it from scripts. Default lifetime: until the
 * browser is closed.
 */
export function setCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, "", 0);
}
