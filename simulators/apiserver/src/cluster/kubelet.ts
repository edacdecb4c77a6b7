import type { Duplex, Readable, Writable } from "node:stream";
import type { KubeObject } from "@keelson/apimachinery";

/** Which lines of a container's log (core/v1 PodLogOptions), checked and with the container named. */
export interface LogOptions {
  readonly container: string;
  /** Goes on until the container ends. */
  readonly follow: boolean;
  /** Of the run before the present one. */
  readonly previous: boolean;
  readonly since: Date | undefined;
  /** Each line begins with its time, RFC 3339 with nanoseconds. */
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** `undefined` for both streams in the order of their lines. */
  readonly stream: "stdout" | "stderr" | undefined;
}

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The ends of a process that a client holds. What the client did not ask for is absent. */
export interface ProcessStreams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Called with each size of the client's terminal, from the first one on. */
  onResize(listener: (size: TerminalSize) => void): void;
}

export interface ExecOptions {
  readonly container: string;
  readonly command: readonly string[];
  /** One terminal for all streams: there is no `stderr` of its own then. */
  readonly tty: boolean;
}

export interface AttachOptions {
  readonly container: string;
  readonly tty: boolean;
}

export interface NodeRequest {
  readonly method: string;
  /** Below the kubelet's own root, with the query: `/metrics`, `/logs/?x=y`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface NodeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * What runs a cluster's pods, as the API server calls it for pods' streaming subresources. Pods and containers that are
 * asked for exist in the API; whether they run is for the kubelet to know. A `StatusError` that is thrown before
 * anything streams becomes the answer. An aborted signal means that the client is gone or the server closes.
 */
export interface Kubelet {
  /** Whole lines, oldest first; the consumer's pace is the producer's. */
  logs(pod: KubeObject, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Resolves with the exit code when the command ends. */
  exec(pod: KubeObject, options: ExecOptions, streams: ProcessStreams, signal: AbortSignal): Promise<number>;
  /** Resolves with the exit code when the container ends. */
  attach(
    pod: KubeObject,
    options: AttachOptions,
    streams: ProcessStreams,
    signal: AbortSignal,
  ): Promise<number>;
  /** A connection to a port inside the pod. Rejects when nothing listens there. */
  connect(pod: KubeObject, port: number, signal: AbortSignal): Promise<Duplex>;
  /** A request to the node's own HTTP API. */
  askNode(node: KubeObject, request: NodeRequest, signal: AbortSignal): Promise<NodeAnswer>;
}
