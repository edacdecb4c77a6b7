import { PassThrough, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { startTimeLimit } from "@keelson/base";
import type { TerminalSize } from "../../cluster/kubelet.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { acceptSpdy, streamProtocol } from "./accept-spdy.ts";
import { terminalSize } from "./channel-connection.ts";
import {
  failureText,
  type Outcome,
  type ProcessConnection,
  statusText,
  type WantedStreams,
} from "./process-connection.ts";
import type { SpdyStream } from "./spdy/session.ts";

/** Protocols, newest first. Version 5 adds only WebSocket features to version 4, so the two versions are identical over SPDY. */
const spdyProtocols = [
  "v5.channel.k8s.io",
  "v4.channel.k8s.io",
  "v3.channel.k8s.io",
  "v2.channel.k8s.io",
  "channel.k8s.io",
] as const;

/** Timeout in milliseconds for the client to open the requested streams. */
const openMs = 30_000;

/**
 * Opens process streams over SPDY. The header `streamtype` identifies each stream.
 * @throws StatusError 403
 */
export async function spdyConnection(
  call: ResourceRequest,
  wanted: WantedStreams,
): Promise<ProcessConnection> {
  const protocol = streamProtocol(call, spdyProtocols);
  const withStatus = protocol.startsWith("v4") || protocol.startsWith("v5");
  const gone = new AbortController();
  const types = [
    "error",
    ...(wanted.stdin ? ["stdin"] : []),
    ...(wanted.stdout ? ["stdout"] : []),
    ...(wanted.stderr && !wanted.tty ? ["stderr"] : []),
    ...(wanted.tty && /^v[345]/.test(protocol) ? ["resize"] : []),
  ];
  const opened = new Map<string, SpdyStream["duplex"]>();
  const complete = Promise.withResolvers<void>();
  const session = acceptSpdy(call, protocol, ({ headers, duplex }) => {
    const type = headers.get("streamtype") ?? "";
    if (!types.includes(type) || opened.has(type)) {
      duplex.destroy();
      return;
    }
    opened.set(type, duplex);
    if (type !== "stdin" && type !== "resize") duplex.resume();
    if (opened.size === types.length) complete.resolve();
  });
  void session.run().then(() => {
    gone.abort();
    complete.reject(new Error("the client disconnected before it opened its streams"));
  });
  {
    using _ = startTimeLimit(openMs, () => {
      session.close();
      complete.reject(new Error("the client did not open its streams"));
    });
    await complete.promise;
  }
  const stdin = opened.get("stdin")?.pipe(new PassThrough());
  const [stdout, stderr] = [opened.get("stdout"), opened.get("stderr")].map((each) => each && outputOf(each));
  const error = opened.get("error");
  gone.signal.addEventListener("abort", () => stdin?.end(), { once: true });
  return {
    streams: {
      ...(stdin ? { stdin } : {}),
      ...(stdout ? { stdout: stdout.writable } : {}),
      ...(stderr ? { stderr: stderr.writable } : {}),
      onResize: (listener) => void readSizes(opened.get("resize"), listener),
    },
    signal: gone.signal,
    async finish(outcome: Outcome) {
      const message = withStatus ? statusText(outcome) : failureText(outcome);
      try {
        await Promise.all([stdout?.end(), stderr?.end()]);
        if (error) await finished(error.end(message), { readable: false });
      } catch {
        // The client has disconnected, so it receives no outcome.
      }
      session.close();
    },
  };
}

/** Output of a process. A process can end before its output is sent. */
interface Output {
  /** Receives the output. Ending this stream does not end the client's stream. */
  readonly writable: Writable;
  /** Sends the pending output and ends the stream of the client. Rejects after a disconnect. */
  readonly end: () => Promise<void>;
}

export function outputOf(duplex: SpdyStream["duplex"]): Output {
  const writable = new Writable({
    write: (chunk: Buffer, _encoding, done) => void duplex.write(chunk, done),
  });
  writable.on("error", () => undefined);
  // A disconnected client never accepts the pending output.
  duplex.once("close", () => writable.destroy());
  return {
    writable,
    async end() {
      // The process may have destroyed its output. The error is ignored, so that the client still receives the end of the stream.
      await finished(writable.end()).catch(() => undefined);
      await finished(duplex.end(), { readable: false });
    },
  };
}

/** Reads terminal sizes from a sequence of JSON values. */
async function readSizes(
  stream: SpdyStream["duplex"] | undefined,
  listener: (size: TerminalSize) => void,
): Promise<void> {
  if (!stream) return;
  let rest = "";
  try {
    for await (const chunk of stream) {
      rest += String(chunk);
      for (let end = rest.indexOf("}"); end >= 0; end = rest.indexOf("}")) {
        const size = terminalSize(Buffer.from(rest.slice(0, end + 1)));
        if (size) listener(size);
        rest = rest.slice(end + 1);
      }
      if (rest.length > 1_024) return;
    }
  } catch {
    // The client disconnected.
  }
}
