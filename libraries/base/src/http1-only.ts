/**
 * Options for every undici dispatcher. HTTP/2 is disabled, because of a bug in Node.js 24.16 to 24.21. After a TCP reset during
 * the TLS handshake, an HTTP/2 connection waits forever. All later requests wait for the same connection.
 */
export const http1Only = { allowH2: false } as const;

/**
 * Connection timeout of undici dispatchers in milliseconds, including the TLS handshake. On a busy machine, undici's default of ten
 * seconds fails requests to a healthy server. Each request has a separate time limit.
 */
export const httpConnectTimeoutMs = 60_000;
