import { connect, type Socket } from "node:net";
import { startTimeLimit } from "@keelson/base";

/** Opens a connection, like `connect` of `node:net`. */
export type Dial = (host: string, port: number) => Socket;

export const dialTcp: Dial = (host, port) =>
  connect({ host, port, allowHalfOpen: true, noDelay: true, keepAlive: true });

/** Resolves with the socket when the socket is connected. @throws Error if the socket is not connected within `limitMs` ms */
export function connected(socket: Socket, limitMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const limit = startTimeLimit(limitMs, () =>
      socket.destroy(new Error(`no answer within ${limitMs / 1_000} s`)),
    );
    socket.once("error", reject);
    socket.once("close", () => limit[Symbol.dispose]());
    socket.once("connect", () => {
      limit[Symbol.dispose]();
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
