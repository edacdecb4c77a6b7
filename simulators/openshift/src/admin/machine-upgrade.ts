import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connectStreams } from "@keelson/base";
import type { MachineRef } from "../ssh/cluster-guests.ts";
import { parseMachinePath } from "./machine-path.ts";

/** Connects to a machine port. `undefined` if the port is closed. */
export type ConnectMachine = (machine: MachineRef, port: number) => Duplex | undefined;

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Handles `GET {machinePath}`. Responds with 101 and connects the client to the machine port, or rejects the request with 401 or
 * 404.
 */
export function connectUpgraded(
  { request, socket, head }: Upgrade,
  isAuthorized: boolean,
  connect: ConnectMachine,
): void {
  socket.on("error", () => socket.destroy());
  if (!isAuthorized) {
    refuse(socket, "401 Unauthorized");
    return;
  }
  const target = request.headers.upgrade === "tcp" ? parseMachinePath(request.url ?? "") : undefined;
  const machine = target && connect(target.machine, target.port);
  if (!machine) {
    refuse(socket, "404 Not Found");
    return;
  }
  socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: tcp\r\n\r\n");
  if (head.length > 0) machine.write(head);
  connectStreams(socket, machine);
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}
