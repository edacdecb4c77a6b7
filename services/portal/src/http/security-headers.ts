/**
 * Content security policy. It allows only the portal's own scripts, styles and requests. Pages of other sites cannot embed the
 * portal in a frame.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers that replace the headers above in responses with data of a customer's cluster. */
export const clusterDataHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; sandbox",
  "content-disposition": "attachment",
};

/** Returns the security headers of the portal's own responses. Responses of clusters have only the first header. */
export function securityHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": contentSecurityPolicy,
    "x-frame-options": "DENY",
    // Only the portal receives its own origin as referrer. The portal checks this origin in requests with changes.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // The header is omitted on a loopback host. Browsers would otherwise require HTTPS from all servers of this machine.
    ...(isLoopback(new URL(origin).hostname)
      ? {}
      : { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host);
}
