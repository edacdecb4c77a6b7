import { Duplex } from "node:stream";
import { boundedText } from "@keelson/base";
import type { WebSocket } from "ws";
import type { ObjectKey } from "../objects/kube-object.ts";
import { KubeError } from "../responses/kube-error.ts";
import { bytesOf } from "./kube-exec.ts";

/**
 * Subprotocols for port forwarding. Each frame begins with a channel number. One channel transfers the data, a second one
 * transfers the error message.
 */
export const portForwardProtocols = ["v4.channel.k8s.io"];
const channels = { data: 0, failure: 1 } as const;
/** Size of the port number in bytes. The first frame of each channel contains the port. */
const portBytes = 2;
const maxReason = 4_096;

export function portForwardPath({ namespace, name }: Required<ObjectKey>, port: number): string {
  const names = [namespace, "pods", name, "portforward"].map(encodeURIComponent);
  return `/api/v1/namespaces/${names.join("/")}?ports=${port}`;
}

/** Returns a connection to a pod's port over an open, paused WebSocket. Destroying the connection closes the WebSocket. */
export function portConnection(socket: WebSocket, signal: AbortSignal): Duplex {
  const waiting = [portBytes, portBytes];
  let reason = "";
  const duplex = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) =>
      socket.send(Buffer.concat([Buffer.of(channels.data), chunk]), (error) => done(error)),
    // Sends nothing, because the protocol cannot close a single direction of the connection.
    final: (done) => done(),
    destroy: (error, done) => {
      signal.removeEventListener("abort", abort);
      socket.terminate();
      done(error);
    },
  });
  // The connection may fail before its user reads from it.
  duplex.on("error", () => undefined);
  const abort = () => duplex.destroy(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  socket.on("message", (raw) => {
    const frame = bytesOf(raw);
    const channel = frame[0] ?? 255;
    const skipped = Math.min(waiting[channel] ?? 0, frame.length - 1);
    if (channel in waiting) waiting[channel] = (waiting[channel] ?? 0) - skipped;
    const bytes = frame.subarray(1 + skipped);
    if (bytes.length === 0) return;
    if (channel === channels.failure) reason = boundedText(reason + bytes.toString(), maxReason);
    else if (channel === channels.data && !duplex.push(bytes)) socket.pause();
  });
  socket.on("error", (cause) =>
    duplex.destroy(new KubeError(0, "Unreachable", `the connection broke: ${cause.message}`, { cause })),
  );
  socket.once("close", () => {
    if (reason === "") duplex.push(null);
    else duplex.destroy(new KubeError(0, "Unreachable", `the port could not be reached: ${reason}`));
  });
  if (signal.aborted) abort();
  return duplex;
}
