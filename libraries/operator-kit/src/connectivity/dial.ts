import { connect } from "node:net";
import { type Clock, messageOf, withTimeout } from "@keelson/base";
import type { CheckOutcome } from "./check-status.ts";

const timeoutMs = 10_000;

/** Connects to `host:port` and closes the connection immediately. */
export async function dial(
  name: string,
  endpoint: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const at = clock.now();
  const began = clock.monotonicMs();
  const outcome = (reason: CheckOutcome["reason"], message: string): CheckOutcome => {
    const latencyMs = Math.round((clock.monotonicMs() - began) * 1_000) / 1_000;
    return { at, latencyMs, reason, message: `${name}: ${message}` };
  };
  const target = URL.parse(`tcp://${endpoint}`);
  const port = Number(target?.port ?? "");
  if (!target || !(port > 0))
    return outcome("TCPConnectError", `${JSON.stringify(endpoint)} is not a host with a port`);
  try {
    await connected(target.hostname.replace(/^\[(.*)\]$/, "$1"), port, signal);
    return outcome("TCPConnect", `tcp connection to ${endpoint} succeeded`);
  } catch (error) {
    signal.throwIfAborted();
    const isName = error instanceof Error && "syscall" in error && error.syscall === "getaddrinfo";
    return isName
      ? outcome("DNSError", `failure looking up host ${endpoint}: ${messageOf(error)}`)
      : outcome(
          "TCPConnectError",
          `failed to establish a TCP connection to ${endpoint}: ${messageOf(error)}`,
        );
  }
}

function connected(host: string, port: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const within = withTimeout(signal, timeoutMs);
    const socket = connect({ host, port, signal: within });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}
