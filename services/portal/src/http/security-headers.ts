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

/**
 * Security headers of responses with data from a customer's cluster. They replace the headers of the same names from
 * `securityHeaders`.
 */
export const clusterDataHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; sandbox",
  "content-disposition": "attachment",
};

/**
 * Returns the security headers of the portal's own responses. Responses of the kubeconfig proxy, which come from clusters, have
 * only the first of these headers.
 */
export function securityHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": contentSecurityPolicy,
    "x-frame-options": "DENY",
    // Browsers send the portal's origin as referrer only to the portal itself. The portal checks this referrer in requests that
    // change data.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // The header is omitted on a loopback host, because browsers would then require HTTPS from all servers on this machine.
    ...(isLoopback(new URL(origin).hostname)
      ? {}
      : { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host);
}
