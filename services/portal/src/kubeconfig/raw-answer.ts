import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { answerHeaders } from "./forwarded-headers.ts";

/** Error response of the portal itself. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
}

/** Returns the response head that starts an upgrade. */
export function upgradeHead(answer: IncomingMessage): string {
  return headOf(answer, answer.headers, { connection: "Upgrade", upgrade: `${answer.headers.upgrade}` });
}

/** Forwards a cluster's regular response to a client that requested an upgrade. The connection closes after the response. */
export function passOn(answer: IncomingMessage, socket: Duplex): void {
  const { "content-length": _, ...headers } = answer.headers;
  socket.write(headOf(answer, headers, { connection: "close" }));
  answer.on("error", () => socket.destroy()).pipe(socket);
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
  const lines = Object.entries({ ...answerHeaders(headers), ...more }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}\r\n`;
}
