/** Built pages: `index.html`, and files below `assets/` with a content hash in their names. */
export const pagesFolder = new URL("../dist/", import.meta.url);

/** Policy for the pages: no inline scripts or styles, and nothing from other origins. */
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
