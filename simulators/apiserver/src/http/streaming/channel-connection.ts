import { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { isPlainObject } from "@keelson/base";
import type { RawData, WebSocket } from "ws";
import type { TerminalSize } from "../../cluster/kubelet.ts";
import {
  failureText,
  type Outcome,
  type ProcessConnection,
  statusText,
  type WantedStreams,
} from "./process-connection.ts";

/** Protocols in the server's order of preference. Protocols with `base64` in their name send text messages. */
export const channelProtocols = [
  "v5.channel.k8s.io",
  "v4.channel.k8s.io",
  "v4.base64.channel.k8s.io",
  "v3.channel.k8s.io",
  "v2.channel.k8s.io",
  "channel.k8s.io",
  "base64.channel.k8s.io",
] as const;

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
/** Maximum size in bytes of buffered input. When the buffer is full, the server stops reading from the client. */
const inputBufferBytes = 64 * 1_024;

/** Process streams over WebSocket messages. The first byte of a message is the channel number. */
export function channelConnection(
  webSocket: WebSocket,
  protocol: string,
  wanted: WantedStreams,
): ProcessConnection {
  const gone = new AbortController();
  const resized: ((size: TerminalSize) => void)[] = [];
  let size: TerminalSize | undefined;
  const text = protocol.includes("base64");
  const withStatus = protocol.startsWith("v4") || protocol.startsWith("v5");
  const send = (channel: number, data: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const message = text
        ? `${channel}${Buffer.from(data).toString("base64")}`
        : Buffer.concat([Buffer.of(channel), data]);
      webSocket.send(message, { binary: !text }, (error) => (error ? reject(error) : resolve()));
    });
  const output = (channel: number): Writable => {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => void send(channel, chunk).then(() => done(), done),
    });
    stream.on("error", () => undefined);
    return stream;
  };
  const stdin = wanted.stdin
    ? new Readable({ highWaterMark: inputBufferBytes, read: () => webSocket.resume() })
    : undefined;
  const stdout = wanted.stdout ? output(channels.stdout) : undefined;
  const stderr = wanted.stderr && !wanted.tty ? output(channels.stderr) : undefined;
  webSocket.on("message", (raw) => {
    const message = bytesOf(raw);
    if (message.length === 0) return;
    const channel = text ? Number(message.toString("latin1", 0, 1)) : message[0];
    const payload = text ? Buffer.from(message.toString("latin1", 1), "base64") : message.subarray(1);
    if (channel === channels.stdin && payload.length > 0 && stdin && !stdin.readableEnded) {
      if (!stdin.push(payload)) webSocket.pause();
    } else if (channel === channels.resize) {
      size = terminalSize(payload) ?? size;
      for (const listener of size ? resized : []) listener(size ?? { width: 0, height: 0 });
    } else if (channel === channels.close && payload[0] === channels.stdin) stdin?.push(null);
  });
  webSocket.on("close", () => {
    gone.abort();
    stdin?.push(null);
  });
  return {
    streams: {
      ...(stdin ? { stdin } : {}),
      ...(stdout ? { stdout } : {}),
      ...(stderr ? { stderr } : {}),
      onResize(listener) {
        resized.push(listener);
        if (size) listener(size);
      },
    },
    signal: gone.signal,
    async finish(outcome: Outcome) {
      webSocket.resume();
      try {
        await Promise.all([stdout, stderr].map((each) => each && finished(each.end())));
        const message = withStatus ? statusText(outcome) : failureText(outcome);
        if (message) await send(channels.error, Buffer.from(message));
      } catch {
        // The client has disconnected, so it receives no outcome.
      }
      webSocket.close(1_000);
    },
  };
}

export function bytesOf(raw: RawData): Buffer {
  if (Array.isArray(raw)) return Buffer.concat(raw);
  return raw instanceof ArrayBuffer ? Buffer.from(raw) : raw;
}

/** Parses `{"Width":80,"Height":24}`. Returns undefined for other messages. */
export function terminalSize(payload: Buffer): TerminalSize | undefined {
  try {
    const value: unknown = JSON.parse(payload.toString());
    if (!isPlainObject(value)) return undefined;
    const { Width: width, Height: height } = value;
    return typeof width === "number" && typeof height === "number" ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
