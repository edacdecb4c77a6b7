/** Free ports of this machine for servers that cannot take port 0, or that must come back where they were. */
import { createSocket } from "node:dgram";
import { createServer, type Server } from "node:net";

/** A port that nobody else can listen on until it is disposed of. */
export interface PortReservation extends AsyncDisposable {
  readonly port: number;
}

/**
 * Below the ports that systems lend to outgoing connections (Linux from 32768, others from 49152): of those, any
 * connection may have taken the one that was free a moment ago.
 */
const lowest = 10_240;
const highest = 32_767;
const attempts = 1_000;

/** The port, held on 127.0.0.1; `undefined` if TCP or UDP has it already, or this user may not listen on it. */
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

/** A port that was free, held. */
export async function reserveFreePort(): Promise<PortReservation> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    const reservation = await reservePort(port);
    if (reservation) return reservation;
  }
  throw new Error(`none of ${attempts} ports between ${lowest} and ${highest} is free`);
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
