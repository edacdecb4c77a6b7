import type { Socket } from "node:net";

/** Accepts a CONNECT request. `head` contains the client's first tunnel bytes and is forwarded first. */
export function grant(client: Socket, head: Buffer): void {
  client.write("HTTP/1.1 200 OK\r\n\r\n");
  if (head.length > 0) client.unshift(head);
}

/** Rejects a CONNECT request and closes the connection. The optional reason is the response body. */
export function refuse(client: Socket, status: string, reason?: string): void {
  const body = reason === undefined ? "" : `${reason}\n`;
  const type = reason === undefined ? "" : "content-type: text/plain; charset=utf-8\r\n";
  client.end(
    `HTTP/1.1 ${status}\r\n${type}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => client.destroy(),
  );
}
