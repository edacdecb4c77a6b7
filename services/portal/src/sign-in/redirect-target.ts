/** Returns the path to which the browser is redirected after a sign-in. If `wanted` is not a path of the portal, returns `/`. */
export function redirectTarget(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > 2_048) return "/";
  // Browsers interpret `//host` and `/\host` as URLs of a different host. They also remove tabs and line breaks from URLs.
  if (!wanted.startsWith("/") || /^\/[/\\]|[\\\s\p{Cc}]/u.test(wanted)) return "/";
  const base = "https://portal.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
