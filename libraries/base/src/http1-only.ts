/**
 * Option of every undici dispatcher. Its HTTP/2 connections wait without end after a TCP reset during the TLS handshake
 * (Node.js 24.16 to 24.21), and the next request waits for the same connection.
 */
export const http1Only = { allowH2: false } as const;
