/**
 * Allows only scripts, styles and requests of the portal itself. Pages of other sites cannot embed it in a
 * frame.
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

/** Replaces the headers above in responses with data of a customer's cluster. */
export const clusterDataHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; sandbox",
  "content-disposition": "attachment",
};

/**
 * Returns the headers of every response of the portal itself. Responses of clusters have only the first one.
 */
export function securityHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": contentSecurityPolicy,
    "x-frame-options": "DENY",
    // Only the portal itself receives the origin, and compares it for requests with changes.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // On a loopback host, browsers would require HTTPS from all other servers of this machine, too.
    ...(isLoopback(new URL(origin).hostname)
      ? {}
      : { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host);
}
