/** Returns the destination after a sign-in: a path of the portal, or `/` for all other values. */
export function redirectTarget(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > 2_048) return "/";
  // Browsers interpret `//host` and `/\host` as a different host, and drop tabs and line ends.
  if (!wanted.startsWith("/") || /^\/[/\\]|[\\\s\p{Cc}]/u.test(wanted)) return "/";
  const base = "https://portal.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
