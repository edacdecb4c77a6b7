import type { Socket } from "node:net";

/** Grants a CONNECT request; `head`, which came behind it, is the first that goes through the tunnel. */
export function grant(client: Socket, head: Buffer): void {
  client.write("HTTP/1.1 200 OK\r\n\r\n");
  if (head.length > 0) client.unshift(head);
}

/** Refuses a CONNECT request, with the reason as its body where one is given, and ends the connection. */
export function refuse(client: Socket, status: string, reason?: string): void {
  const body = reason === undefined ? "" : `${reason}\n`;
  const type = reason === undefined ? "" : "content-type: text/plain; charset=utf-8\r\n";
  client.end(
    `HTTP/1.1 ${status}\r\n${type}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => client.destroy(),
  );
}
