import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { responseHeaders } from "./forwarded-headers.ts";

/** Error response that the portal sends instead of a response of the cluster. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
}

/** Returns the status line and headers of the response that starts an upgrade. */
export function upgradeHead(response: IncomingMessage): string {
  return headOf(response, response.headers, {
    connection: "Upgrade",
    upgrade: `${response.headers.upgrade}`,
  });
}

/** Forwards a cluster's regular response to a client that requested an upgrade. Closes the connection after the response. */
export function passOn(response: IncomingMessage, socket: Duplex): void {
  const { "content-length": _, ...headers } = response.headers;
  socket.write(headOf(response, headers, { connection: "close" }));
  response.on("error", () => socket.destroy()).pipe(socket);
}

export function refuseUpgrade(socket: Duplex, { status, body, contentType }: Refusal): void {
  if (socket.destroyed) return;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${contentType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function headOf(
  { statusCode = 0, statusMessage = "" }: IncomingMessage,
  headers: IncomingHttpHeaders,
  more: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries({ ...responseHeaders(headers), ...more }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}\r\n`;
}
