/** The built pages: `index.html`, and below `assets/` files whose names change with their content. */
export const pagesFolder = new URL("../dist/", import.meta.url);

/** With what the pages are served: nothing within a document runs or styles it, nothing comes from elsewhere. */
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
