/** Reserves local ports for servers that cannot use port 0, or that must restart at the same port. */
import { createSocket } from "node:dgram";
import { createServer, type Server } from "node:net";

/** Port that is reserved for this process until disposal. */
export interface PortReservation extends AsyncDisposable {
  readonly port: number;
}

/**
 * Lowest port to choose. The range is below the ephemeral ports (Linux from 32768, other systems from 49152). Outgoing
 * connections may use an ephemeral port at any time.
 */
const lowest = 10_240;
const highest = 32_767;
const attempts = 1_000;

/** Reserves a port on 127.0.0.1. Returns undefined if TCP or UDP uses it, or if this user may not listen on it. */
export async function reservePort(port: number): Promise<PortReservation | undefined> {
  const server = await tryTcp(port);
  if (!server) return undefined;
  const reservation: PortReservation = {
    port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  if (await isFreeForUdp(port)) return reservation;
  await reservation[Symbol.asyncDispose]();
  return undefined;
}

/** Reserves a free port. */
export async function reserveFreePort(): Promise<PortReservation> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    const reservation = await reservePort(port);
    if (reservation) return reservation;
  }
  throw new Error(`all ${attempts} tried ports between ${lowest} and ${highest} are in use`);
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}

function tryTcp(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
