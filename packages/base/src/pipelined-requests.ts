import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";

/**
 * Lets requests wait whose connection still holds answers for its client. Node.js stops reading such a connection, but its
 * parser, which reads from the connection directly, is given what had been decrypted already, and takes it for the
 * error HPE_PAUSED. A listener for data has all further bytes pass the socket's own buffer, which waits.
 */
export function bufferPipelinedRequests(server: Server | Http2SecureServer): void {
  const buffered = new WeakSet<Socket>();
  server.on("request", ({ httpVersionMajor, socket }) => {
    if (httpVersionMajor !== 1 || !socket.isPaused() || buffered.has(socket)) return;
    buffered.add(socket);
    socket.on("data", () => undefined);
  });
}
