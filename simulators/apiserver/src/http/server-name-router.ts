import { connect, type Server, type Socket } from "node:net";
import { connectStreams, type Logger, messageOf } from "@keelson/base";

/** Returns the port of this machine that serves a host name. Undefined if no other server serves it. */
export type FindServer = (serverName: string) => Promise<number | undefined>;

export interface ServerNameRouterOptions {
  /** True if this server serves the host name. */
  readonly serves: (serverName: string) => boolean;
  readonly find: FindServer;
  readonly logger: Logger;
}

/** Maximum size of a TLS record with its header. */
const maxHelloBytes = 16_384 + 5;
/** Time limit in milliseconds for the first TLS record of a connection. */
const helloMs = 20_000;

/**
 * Makes a TLS server read the server name in the first TLS record of each connection. Connections for names of other servers are
 * forwarded to them, without decryption. The server handles all other connections, also if they are not TLS.
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

/** Reads the first TLS record. Returns the bytes read so far if they are not TLS. Returns undefined if the connection ended. */
function readHello(socket: Socket): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let read = Buffer.alloc(0);
  const done = (result: Buffer | undefined) => {
    socket.off("readable", readable);
    socket.off("end", ended);
    socket.off("close", ended);
    clearTimeout(timeout);
    resolve(result);
  };
  const ended = () => done(undefined);
  const readable = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read())
      read = Buffer.concat([read, chunk]);
    if (read.length > 0 && isComplete(read)) done(read);
  };
  const timeout = setTimeout(ended, helloMs);
  socket.on("readable", readable);
  socket.on("end", ended);
  socket.on("close", ended);
  return promise;
}

/** True if the bytes contain a complete TLS record, or are not a TLS handshake. */
function isComplete(bytes: Buffer): boolean {
  if (bytes[0] !== handshakeRecord || bytes.length >= maxHelloBytes) return true;
  return bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3);
}

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;

/** Returns the server name in a TLS record with a ClientHello. Undefined if there is none, or if the bytes are invalid. */
export function serverNameOf(record: Buffer): string | undefined {
  try {
    if (record[0] !== handshakeRecord || record[5] !== clientHello) return undefined;
    // Record header, handshake header, version and random bytes.
    let at = 5 + 4 + 2 + 32;
    at += 1 + record.readUInt8(at);
    at += 2 + record.readUInt16BE(at);
    at += 1 + record.readUInt8(at);
    const end = at + 2 + record.readUInt16BE(at);
    at += 2;
    while (at + 4 <= end) {
      const type = record.readUInt16BE(at);
      const length = record.readUInt16BE(at + 2);
      // List length, name type and name length precede the name.
      if (type === serverNameExtension) {
        const from = at + 4 + 5;
        return record.toString("latin1", from, from + record.readUInt16BE(at + 4 + 3)) || undefined;
      }
      at += 4 + length;
    }
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
