import { on, once } from "node:events";
import {
  boundedText,
  type Clock,
  isPlainObject,
  messageOf,
  onTimeDeadline,
  stringAt,
  systemClock,
} from "@keelson/base";
import type { RawData, WebSocket } from "ws";
import { maxErrorBytes, startOf } from "../responses/bounded-body.ts";
import { KubeError } from "../responses/kube-error.ts";

/** Supported subprotocols, newest first. v5 can close stdin, which this client does not use. */
export const execProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

export type ExecOutput =
  | { readonly stream: "stdout" | "stderr"; readonly bytes: Buffer }
  /** Last output. `failure` is the server's message for an exit code other than 0. */
  | { readonly stream: "exit"; readonly failure?: string };

/** Channel number in the first byte of a frame. */
const channels = { stdout: 1, stderr: 2, status: 3 } as const;
const pingIntervalMs = 15_000;
const silenceLimitMs = 61_000;
const bufferedFrames = 16;

export function execPath({ namespace, pod, container, command }: ExecRequest): string {
  const query = new URLSearchParams({ container, stdout: "true", stderr: "true" });
  for (const word of command) query.append("command", word);
  const names = [namespace, "pods", pod, "exec"].map(encodeURIComponent);
  return `/api/v1/namespaces/${names.join("/")}?${query}`;
}

/**
 * Streams the output of a command, then its exit status. Pings keep the connection alive through proxies. A connection without
 * traffic is closed. An abort closes the connection. The kubelet then decides whether the command continues.
 */
export async function* execOutput(
  open: () => Promise<WebSocket>,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput> {
  const socket = await open();
  // Messages that arrived before this line are not lost, because the socket was opened paused.
  const messages = on(socket, "message", {
    signal,
    close: ["close"],
    highWaterMark: bufferedFrames,
    lowWaterMark: 1,
  });
  socket.resume();
  const stopPings = keepAlive(socket, { pingIntervalMs, silenceLimitMs });
  try {
    for await (const [message] of messages) {
      const output = parseFrame(bytesOf(message));
      if (output) yield output;
      if (output?.stream === "exit") return;
    }
    throw new KubeError(0, "Unreachable", "the connection closed before the command's result came");
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof KubeError) throw error;
    throw new KubeError(0, "Unreachable", `the connection broke: ${messageOf(error)}`, { cause: error });
  } finally {
    stopPings();
    socket.on("error", () => undefined);
    socket.terminate();
  }
}

/** Parses a frame. Returns undefined for an empty frame, which a server sends only to open a channel. */
export function parseFrame(frame: Buffer): ExecOutput | undefined {
  const bytes = frame.subarray(1);
  switch (frame[0]) {
    case channels.stdout:
      return bytes.length > 0 ? { stream: "stdout", bytes } : undefined;
    case channels.stderr:
      return bytes.length > 0 ? { stream: "stderr", bytes } : undefined;
    case channels.status:
      return parseStatus(bytes);
    default:
      if (frame.length <= 1) return undefined;
      throw new KubeError(0, "InvalidAnswer", `a frame came on the unknown channel ${frame[0]}`);
  }
}

function parseStatus(bytes: Buffer): ExecOutput | undefined {
  if (bytes.length === 0) return undefined;
  let status: unknown;
  try {
    status = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new KubeError(0, "InvalidAnswer", "the command's result is no JSON", { cause });
  }
  if (!isPlainObject(status)) throw new KubeError(0, "InvalidAnswer", "the command's result is no Status");
  if (status.status !== "Failure") return { stream: "exit" };
  const message = boundedText(stringAt(status, "message") ?? "", 4_096);
  return { stream: "exit", failure: message || "the command failed without a message" };
}

/** Methods of a WebSocket that `keepAlive` uses. */
interface Pinged {
  readonly isPaused: boolean;
  readonly readyState: number;
  readonly OPEN: number;
  on(event: "pong" | "message", listener: () => void): unknown;
  emit(event: "error", error: Error): unknown;
  ping(): void;
}

export interface KeepAliveOptions {
  readonly pingIntervalMs: number;
  readonly silenceLimitMs: number;
  readonly clock?: Clock;
}

/**
 * Sends pings, and closes the socket with an error after a period without traffic. Delays of this process extend the period.
 * Returns a function that stops the pings.
 */
export function keepAlive(
  socket: Pinged,
  { pingIntervalMs, silenceLimitMs, clock = systemClock }: KeepAliveOptions,
): () => void {
  let isSilent = onTimeDeadline(clock, silenceLimitMs);
  const received = () => {
    isSilent = onTimeDeadline(clock, silenceLimitMs);
  };
  let isStopped = false;
  socket.on("pong", received);
  socket.on("message", received);
  const timer = setInterval(() => {
    // A slow reader pauses the socket. No traffic arrives during the pause, so the connection counts as alive.
    if (socket.isPaused) received();
    if (!isSilent()) {
      if (socket.readyState === socket.OPEN) socket.ping();
      return;
    }
    // The event loop first reads traffic that has already arrived.
    setImmediate(() => {
      if (!isStopped && isSilent())
        socket.emit("error", new Error(`the server was silent for ${silenceLimitMs} ms`));
    });
  }, pingIntervalMs);
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

export function bytesOf(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message;
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}

/**
 * Resolves when the socket is open and paused.
 * @throws the error that `refused` returns, if the server does not upgrade the connection
 */
export async function untilOpen(
  socket: WebSocket,
  refused: (code: number, body: string) => unknown,
  signal: AbortSignal,
): Promise<WebSocket> {
  const refusal = Promise.withResolvers<never>();
  socket.on("unexpected-response", (_request, response) => {
    void startOf(response, maxErrorBytes, signal).then((body) =>
      refusal.reject(refused(response.statusCode ?? 0, body)),
    );
  });
  socket.once("open", () => socket.pause());
  try {
    await Promise.race([once(socket, "open", { signal }), refusal.promise]);
    return socket;
  } catch (error) {
    socket.on("error", () => undefined);
    socket.terminate();
    throw error;
  }
}
