import { connect, createServer, type Socket } from "node:net";
import { connectStreams } from "@keelson/base";
import { listen } from "@keelson/http";

/** Port of the API server on private endpoints. */
const apiServerPort = 6_443;

/** Forwards port 6443 of each private endpoint to the API server listener that all simulated clusters share. */
export async function startApiServerRelay(port: number): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const add = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  };
  const server = createServer((client) => {
    const cluster = connect(port, "127.0.0.1");
    add(client);
    add(cluster);
    connectStreams(client, cluster);
  });
  await listen(server, "0.0.0.0", apiServerPort);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
