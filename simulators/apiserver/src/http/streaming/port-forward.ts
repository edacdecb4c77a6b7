import { Duplex, Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { failures, type KubeObject } from "@keelson/apimachinery";
import { messageOf } from "@keelson/base";
import { createWebSocketStream, type WebSocket } from "ws";
import type { Kubelet } from "../../cluster/kubelet.ts";
import { requireCreate } from "../resources/request-attributes.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { acceptSpdy, streamProtocol, wantsSpdy } from "./accept-spdy.ts";
import { acceptWebSocket, wantsWebSocket } from "./accept-web-socket.ts";
import { bytesOf } from "./channel-connection.ts";
import { kubeletOf, openStream, requireNode, subjectOf } from "./open-stream.ts";
import { SpdySession, type SpdyStream } from "./spdy/session.ts";

const tunnel = "SPDY/3.1+portforward.k8s.io";
const streamProtocols = ["portforward.k8s.io"];
const channelProtocols = ["v4.channel.k8s.io", "portforward.k8s.io", "channel.k8s.io"];
const maxPorts = 100;
const bufferBytes = 256 * 1_024;

/** Pod and kubelet of a port-forward request. */
interface Forwarding {
  readonly pod: KubeObject;
  readonly kubelet: Kubelet;
  readonly signal: AbortSignal;
}

/** Handles `pods/{name}/portforward`: the client opens connections to ports of the pod. */
export async function handlePortForward(call: ResourceRequest): Promise<void> {
  await requireCreate(call);
  const kubelet = kubeletOf(call);
  const pod = subjectOf(call);
  requireNode(pod);
  if (wantsSpdy(call)) {
    const protocol = streamProtocol(call, streamProtocols);
    using stream = openStream(call);
    const pairs = new StreamPairs({ pod, kubelet, signal: stream.signal });
    await runUntil(
      stream.signal,
      acceptSpdy(call, protocol, (stream) => pairs.add(stream)),
    );
    return;
  }
  if (!wantsWebSocket(call)) throw failures.badRequest("Upgrade request required");
  const offered = call.request.incoming.headers["sec-websocket-protocol"] ?? "";
  const tunnelled = offered.includes(tunnel);
  const ports = tunnelled ? [] : portsOf(call.request.query);
  const { webSocket } = await acceptWebSocket(call, tunnelled ? [tunnel] : channelProtocols);
  using stream = openStream(call);
  if (tunnelled) {
    const pairs = new StreamPairs({ pod, kubelet, signal: stream.signal });
    const session = new SpdySession(createWebSocketStream(webSocket), (stream) => pairs.add(stream));
    await runUntil(stream.signal, session);
    webSocket.close(1_000);
  } else await forwardChannels(webSocket, ports, { pod, kubelet, signal: stream.signal });
}

async function runUntil(signal: AbortSignal, session: SpdySession): Promise<void> {
  const close = () => session.close();
  signal.addEventListener("abort", close, { once: true });
  await session.run();
  signal.removeEventListener("abort", close);
}

/** Pairs of streams with the same `requestid`. One stream is for data, the other for errors. */
class StreamPairs {
  readonly #forwarding: Forwarding;
  readonly #waiting = new Map<string, SpdyStream>();

  constructor(forwarding: Forwarding) {
    this.#forwarding = forwarding;
  }

  add(stream: SpdyStream): void {
    const { headers, duplex } = stream;
    const type = headers.get("streamtype");
    const id = headers.get("requestid") ?? "";
    const port = Number(headers.get("port"));
    if ((type !== "data" && type !== "error") || !isPort(port)) {
      duplex.destroy();
      return;
    }
    const other = this.#waiting.get(id);
    if (!other) {
      this.#waiting.set(id, stream);
      duplex.once("close", () => this.#waiting.delete(id));
      return;
    }
    this.#waiting.delete(id);
    const [data, error] = type === "data" ? [duplex, other.duplex] : [other.duplex, duplex];
    error.resume();
    void forward(port, data, error, this.#forwarding);
  }
}

async function forward(port: number, data: Duplex, error: Writable, forwarding: Forwarding): Promise<void> {
  const { pod, kubelet, signal } = forwarding;
  // This listener prevents an unhandled error. After an error of the data stream, `joined` closes the connection to the pod.
  data.on("error", () => undefined);
  try {
    const connection = await kubelet.connect(pod, port, signal);
    connection.on("error", () => undefined);
    await joined(data, connection, signal);
  } catch (cause) {
    if (error.writable) {
      error.write(
        `error forwarding port ${port} to pod ${pod.metadata.name}, uid ${pod.metadata.uid}: ${messageOf(cause)}`,
      );
    }
    // The data stream ends first, because the client reads the error message only after the end of the data stream.
    data.resume().end();
  }
  error.end();
}

/** Copies data in both directions until both have ended. An error in one direction ends both. */
async function joined(a: Duplex, b: Duplex, signal: AbortSignal): Promise<void> {
  const results = await Promise.allSettled([
    pipeline(a, b, { signal, end: true }),
    pipeline(b, a, { signal, end: true }),
  ]);
  if (results.some((each) => each.status === "rejected")) {
    a.destroy();
    b.destroy();
  }
}

/**
 * Returns the ports in the order of their channels.
 * @throws StatusError 400
 */
function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query
    .getAll("ports")
    .flatMap((each) => each.split(","))
    .map(Number);
  if (ports.length === 0) throw failures.badRequest('query parameter "ports" is required');
  if (ports.length > maxPorts || !ports.every(isPort)) {
    throw failures.badRequest('query parameter "ports" must be port numbers between 1 and 65535');
  }
  return ports;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/**
 * Forwards ports over a WebSocket. Channel 2i carries the data of port i, and channel 2i+1 carries the errors of port i. The
 * first message of each channel is the port number in two bytes, little-endian.
 */
async function forwardChannels(
  webSocket: WebSocket,
  ports: readonly number[],
  forwarding: Forwarding,
): Promise<void> {
  const send = (channel: number, data: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      const message = Buffer.concat([Buffer.of(channel), data]);
      webSocket.send(message, (error) => (error ? reject(error) : resolve()));
    });
  const output = (channel: number) =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => void send(channel, chunk).then(() => done(), done),
    });
  const closed = new Promise<void>((resolve) => webSocket.once("close", () => resolve()));
  const inputs = ports.map(
    () => new Readable({ highWaterMark: bufferBytes, read: () => webSocket.resume() }),
  );
  webSocket.on("message", (raw) => {
    const message = bytesOf(raw);
    const channel = message[0] ?? 255;
    const input = channel % 2 === 0 ? inputs[channel / 2] : undefined;
    if (input && message.length > 1 && !input.push(message.subarray(1))) webSocket.pause();
  });
  void closed.then(() => {
    for (const input of inputs) input.push(null);
  });
  const connections = ports.map(async (port, index) => {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16LE(port);
    const input = inputs[index] ?? Readable.from([]);
    const failure = output(2 * index + 1);
    failure.on("error", () => undefined);
    await Promise.all([send(2 * index, bytes), send(2 * index + 1, bytes)]);
    await forward(port, Duplex.from({ readable: input, writable: output(2 * index) }), failure, forwarding);
  });
  const close = () => webSocket.close(1_000);
  forwarding.signal.addEventListener("abort", close, { once: true });
  await Promise.race([closed, Promise.allSettled(connections)]);
  close();
  await closed;
}
