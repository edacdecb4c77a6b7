import { type ClientHttp2Stream, constants } from "node:http2";

/** The open streams that one signal ends, with one listener for all of them: a process may have ten thousand. */
export class StreamGroup {
  readonly #signal: AbortSignal;
  readonly #streams = new Set<ClientHttp2Stream>();
  readonly #closed: (this: ClientHttp2Stream) => void;
  readonly #aborted = () => this.end(errorOf(this.#signal));

  /** `emptied` is called when none is left. */
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

  /** What reads them gets the error. */
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
