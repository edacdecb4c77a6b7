/** Maximum size of the header. Larger ones do not come from the portal and are not parsed. */
const maxBytes = 8_192;

/** Returns a cookie of a request. Undefined if it is missing, named twice, or the header is too large. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxBytes) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  // A different site of the domain may have planted one. The portal's own cannot be identified.
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the value of `Set-Cookie`: HTTPS only, hidden from scripts, deleted with the browser session. */
export function setCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, "", 0);
}
