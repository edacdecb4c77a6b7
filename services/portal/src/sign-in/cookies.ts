/** Maximum size of the cookie header in bytes. The portal never causes larger headers, so they are not parsed. */
const maxBytes = 8_192;

/** Returns a cookie of a request. Undefined if it is missing or present twice, or if the header is too large. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxBytes) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  // A second cookie may come from a different site of the domain. The portal's own cookie cannot be identified then.
  return values.length === 1 ? values[0] : undefined;
}

/** Returns a `Set-Cookie` value. The cookie requires HTTPS and is hidden from scripts. Default lifetime: the browser session. */
export function setCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, "", 0);
}
