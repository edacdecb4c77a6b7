import type { Socket } from "node:net";
import { failures } from "@keelson/apimachinery";
import { startTimeLimit } from "@keelson/base";
import { drainMs } from "./listener.ts";

const noHttp = { code: 400, status: "Bad Request", message: "the request is not HTTP" };
const responses: Readonly<Record<string, typeof noHttp>> = {
  HPE_HEADER_OVERFLOW: {
    code: 431,
    status: "Request Header Fields Too Large",
    message: "the request line and headers are too long",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    status: "Request Timeout",
    message: "the request did not come in within its time",
  },
};

/** Responds to input that is invalid HTTP, too large or too slow. Node.js does not create a request object in these cases. */
export function sendBadRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET") socket.destroy();
  // The socket is no longer writable if the server has already responded to an earlier chunk of the same input.
  if (!socket.writable) return;
  const { status, code, message } = responses[error.code ?? ""] ?? noHttp;
  const body = JSON.stringify({ ...failures.badRequest(message).toStatus(), code });
  socket.end(
    `HTTP/1.1 ${code} ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  // Closing a socket with unread data would reset the connection. The client would then lose the response.
  socket.resume();
  const limit = startTimeLimit(drainMs, () => socket.destroy());
  socket.once("close", () => limit[Symbol.dispose]());
}
