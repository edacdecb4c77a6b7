import { type ClientHttp2Stream, constants } from "node:http2";

/** Open streams of one signal. They share a single abort listener, because a process may have ten thousand streams. */
export class StreamGroup {
  readonly #signal: AbortSignal;
  readonly #streams = new Set<ClientHttp2Stream>();
  readonly #closed: (this: ClientHttp2Stream) => void;
  readonly #aborted = () => this.end(errorOf(this.#signal));

  /** @param emptied called after the last stream has closed */
  constructor(signal: AbortSignal, emptied: () => void) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#aborted);
    const streams = this.#streams;
    const leave = () => {
      signal.removeEventListener("abort", this.#aborted);
      emptied();
    };
    this.#closed = function () {
      if (streams.delete(this) && streams.size === 0) leave();
    };
  }

  add(stream: ClientHttp2Stream): void {
    this.#streams.add(stream);
    stream.on("close", this.#closed);
  }

  /** Closes all streams. Their readers receive the error. */
  end(error: Error): void {
    for (const stream of this.#streams) {
      stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy(error);
    }
  }
}

function errorOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(`aborted: ${String(reason)}`);
}
