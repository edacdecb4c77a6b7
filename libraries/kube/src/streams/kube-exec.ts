import { on, once } from "node:events";
import { boundedText, isPlainObject, messageOf, stringAt } from "@keelson/base";
import type { RawData, WebSocket } from "ws";
import { maxErrorBytes, startOf } from "../responses/bounded-body.ts";
import { KubeError } from "../responses/kube-error.ts";

/** The newest first: v5 lets clients close stdin, which nothing here sends. */
export const execProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

export type ExecOutput =
  | { readonly stream: "stdout" | "stderr"; readonly bytes: Buffer }
  /** The last one. `failure` is the server's text when the command did not end with 0. */
  | { readonly stream: "exit"; readonly failure?: string };

/** First byte of a frame. */
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
 * What a command writes, as it writes it, then how it ended. Pings keep the connection through proxies; one that is
 * silent all the same is given up. Abort closes the connection, which leaves the command to the kubelet.
 */
export async function* execOutput(
  open: () => Promise<WebSocket>,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput> {
  const socket = await open();
  // Nothing is lost in between: the socket was opened paused.
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

/** `undefined` for empty frames, by which servers open their channels. */
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

/** What of a WebSocket it takes to keep it alive. */
interface Pinged {
  readonly isPaused: boolean;
  readonly readyState: number;
  readonly OPEN: number;
  on(event: "pong" | "message", listener: () => void): unknown;
  emit(event: "error", error: Error): unknown;
  ping(): void;
}

/** Pings, and ends the socket with an error when nothing comes back. Gives the way to stop. */
export function keepAlive(
  socket: Pinged,
  { pingIntervalMs, silenceLimitMs }: { readonly pingIntervalMs: number; readonly silenceLimitMs: number },
): () => void {
  let heard = performance.now();
  const hear = () => {
    heard = performance.now();
  };
  socket.on("pong", hear);
  socket.on("message", hear);
  const timer = setInterval(() => {
    // A reader that takes its time pauses the socket: then nothing can be heard, and nothing is amiss.
    if (socket.isPaused) hear();
    if (performance.now() - heard > silenceLimitMs) {
      socket.emit("error", new Error(`the server was silent for ${silenceLimitMs} ms`));
    } else if (socket.readyState === socket.OPEN) socket.ping();
  }, pingIntervalMs);
  return () => clearInterval(timer);
}

export function bytesOf(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message;
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message);
}

/** Resolves when the socket is open, paused. @throws what `refused` makes of an answer that is no upgrade */
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
