/** Where people go after they have signed in: a path of the portal's own, and `/` for everything else. */
export function redirectTarget(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > 2_048) return "/";
  // Browsers read `//host` and `/\host` as another host, and drop tabs and line ends.
  if (!wanted.startsWith("/") || /^\/[/\\]|[\\\s\p{Cc}]/u.test(wanted)) return "/";
  const base = "https://portal.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
