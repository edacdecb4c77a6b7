/** Larger ones are no cookies of the portal's, and are not parsed. */
const maxBytes = 8_192;

/** A cookie of a request; `undefined` when it is absent, named twice, or the header is too large. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > maxBytes) return undefined;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  // Another site of the domain may have planted one: which is ours cannot be known.
  return values.length === 1 ? values[0] : undefined;
}

/** The value of `Set-Cookie`: sent over HTTPS alone, hidden from scripts, ended with the browser. */
export function setCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, "", 0);
}
