import { connect, type Server, type Socket } from "node:net";
import { connectStreams, type Logger, messageOf, startTimeLimit } from "@keelson/base";
import { readClientHello } from "@keelson/http";

/** Returns the port of a different server on this machine that serves a host name. Undefined if no such server exists. */
export type FindServer = (serverName: string) => Promise<number | undefined>;

export interface ServerNameRouterOptions {
  /** True if this server serves the host name. */
  readonly serves: (serverName: string) => boolean;
  readonly find: FindServer;
  readonly logger: Logger;
}

/** Time limit in milliseconds for the ClientHello of a connection. */
const helloMs = 20_000;

/**
 * Makes a TLS server read the server name in the ClientHello of each connection. Connections with the name of a different server
 * are forwarded to that server without decryption. The server handles all other connections, including those that are not TLS.
 */
export function routeByServerName(server: Server, { serves, find, logger }: ServerNameRouterOptions): void {
  const handlers = server.listeners("connection");
  const accept = (socket: Socket) => {
    for (const handler of handlers) Reflect.apply(handler, server, [socket]);
  };
  const route = async (socket: Socket) => {
    const hello = await readHello(socket);
    if (!hello) {
      socket.destroy();
      return;
    }
    const name = serverNameOf(hello);
    const port = name === undefined || serves(name) ? undefined : await find(name);
    if (socket.destroyed) return;
    socket.unshift(hello);
    if (port === undefined) accept(socket);
    else forward(socket, port);
  };
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    route(socket).catch((error: unknown) => {
      logger.warn({ error: messageOf(error) }, "connection was not routed by its server name");
      socket.destroy();
    });
  });
}

function forward(socket: Socket, port: number): void {
  const upstream = connect(port, "127.0.0.1");
  upstream.once("error", () => socket.destroy());
  upstream.once("connect", () => connectStreams(socket, upstream));
  socket.once("close", () => upstream.destroy());
}

/** Reads the ClientHello. Returns the bytes read so far if they are not TLS. Returns undefined if the connection ended. */
function readHello(socket: Socket): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let read = Buffer.alloc(0);
  const done = (result: Buffer | undefined) => {
    socket.off("readable", readable);
    socket.off("end", ended);
    socket.off("close", ended);
    timeout[Symbol.dispose]();
    resolve(result);
  };
  const ended = () => done(undefined);
  const readable = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read())
      read = Buffer.concat([read, chunk]);
    if (readClientHello(read).kind !== "incomplete") done(read);
  };
  const timeout = startTimeLimit(helloMs, ended);
  socket.on("readable", readable);
  socket.on("end", ended);
  socket.on("close", ended);
  return promise;
}

/** Returns the server name in the first bytes of a connection. Undefined if there is none, or if the bytes are no ClientHello. */
export function serverNameOf(bytes: Buffer): string | undefined {
  const hello = readClientHello(bytes);
  return hello.kind === "complete" ? hello.name : undefined;
}
