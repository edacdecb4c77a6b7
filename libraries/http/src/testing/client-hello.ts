import { once } from "node:events";
import { connect as connectTcp, createServer } from "node:net";
import { connect as connectTls } from "node:tls";

/**
 * Returns the first bytes that a Node.js TLS client sends for a server name. Without a name, the ClientHello has no server name.
 */
export async function clientHelloFor(servername?: string): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const accepted = once(server, "connection");
  const socket = connectTcp({ host: "127.0.0.1", port: Object(address).port });
  const client = connectTls({
    socket,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  client.on("error", () => undefined);
  const [peer] = await accepted;
  const [hello] = await once(peer, "data");
  client.destroy();
  peer.destroy();
  server.close();
  return hello;
}
