/** Returns the path to which a sign-in redirects. The path is `/` for every value that is not a path of the portal. */
export function redirectTarget(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > 2_048) return "/";
  // Browsers interpret `//host` and `/\host` as a different host. They also remove tabs and line ends.
  if (!wanted.startsWith("/") || /^\/[/\\]|[\\\s\p{Cc}]/u.test(wanted)) return "/";
  const base = "https://portal.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
