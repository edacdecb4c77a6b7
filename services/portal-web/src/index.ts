/**
 * Directory of the built pages. It contains `index.html`, and the directory `assets/` with files that have a content hash in
 * their names.
 */
export const pagesDirectory = new URL("../dist/", import.meta.url);

/** Content security policy of the pages. It forbids inline scripts, inline styles and content from other origins. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
