import type { Duplex, Readable, Writable } from "node:stream";
import type { KubeObject } from "@keelson/apimachinery";

/**
 * Options for a container's log (core/v1 PodLogOptions). The options are already validated, and the option `container` is set.
 */
export interface LogOptions {
  readonly container: string;
  /** True to continue until the container exits. */
  readonly follow: boolean;
  /** True to read the log of the container's previous run. */
  readonly previous: boolean;
  readonly since: Date | undefined;
  /** True to prefix each line with its time, in RFC 3339 format with nanoseconds. */
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Stream to read. If undefined, both streams are read in the order of their lines. */
  readonly stream: "stdout" | "stderr" | undefined;
}

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Client side of a process's streams. Streams that the client did not request are undefined. */
export interface ProcessStreams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Registers a listener for the client's terminal size. The listener is called with the current size first. */
  onResize(listener: (size: TerminalSize) => void): void;
}

export interface ExecOptions {
  readonly container: string;
  readonly command: readonly string[];
  /** True if all streams share one terminal. `stderr` is then part of `stdout`. */
  readonly tty: boolean;
}

export interface AttachOptions {
  readonly container: string;
  readonly tty: boolean;
}

export interface NodeRequest {
  readonly method: string;
  /** Path below the kubelet's root with the query, such as `/metrics` or `/logs/?x=y`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface NodeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Node agent that runs a cluster's pods. The API server calls the kubelet for streaming subresources, such as `pods/log`. The
 * pods and containers in these calls exist, but are not necessarily running. If the kubelet throws a `StatusError` before the
 * first output, this error becomes the response. The signal aborts when the client disconnects or the server closes.
 */
export interface Kubelet {
  /** Yields complete lines, oldest first. Reads no faster than the caller consumes lines. */
  logs(pod: KubeObject, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Resolves with the exit code when the command exits. */
  exec(pod: KubeObject, options: ExecOptions, streams: ProcessStreams, signal: AbortSignal): Promise<number>;
  /** Resolves with the exit code when the container exits. */
  attach(
    pod: KubeObject,
    options: AttachOptions,
    streams: ProcessStreams,
    signal: AbortSignal,
  ): Promise<number>;
  /** Connects to a port of the pod. Rejects if the port is closed. */
  connect(pod: KubeObject, port: number, signal: AbortSignal): Promise<Duplex>;
  /** Sends a request to the node's HTTP API. */
  askNode(node: KubeObject, request: NodeRequest, signal: AbortSignal): Promise<NodeResponse>;
}
