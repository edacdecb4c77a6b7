import { createSocket } from "node:dgram";
import { rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { StatsdAddress } from "@keelson/base";

/** Receives metrics like a statsd agent and prints them. Disposal closes the socket and deletes its file. */
export async function printStatsd(
  address: StatsdAddress,
  write: (text: string) => void,
): Promise<AsyncDisposable> {
  return address.kind === "udp" ? listenUdp(address, write) : listenStream(address.path, write);
}

async function listenUdp(
  { host, port }: { readonly host: string; readonly port: number },
  write: (text: string) => void,
): Promise<AsyncDisposable> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", (bytes) => write(bytes.toString()));
  await new Promise<void>((listening, failed) => {
    socket.once("error", failed);
    socket.bind(port, host, listening);
  });
  return {
    [Symbol.asyncDispose]: () => new Promise((closed) => socket.close(() => closed())),
  };
}

async function listenStream(path: string, write: (text: string) => void): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding("utf8");
    socket.on("data", write);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  // A listener that was killed may have left its socket file.
  await rm(path, { force: true });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(path, listening);
  });
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
