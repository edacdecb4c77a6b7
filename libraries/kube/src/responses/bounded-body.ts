import type { Readable } from "node:stream";

/** Maximum size in bytes of an error response's body. Such a body normally is a `Status` of a few lines. */
export const maxErrorBytes = 64 * 1024;

/**
 * Reads a response body as a stream. The stream iterator of Node.js has two defects. If an HTTP/2 stream ended before the first
 * read, the iterator reports the stream as broken. If the connection broke, the iterator reports the stream as complete. The
 * reader is an object instead of a generator to save memory, because a process may have ten thousand waiting watches.
 */
export class BodyReader {
  readonly #body: Readable;
  readonly #failure: (cause: unknown) => unknown;
  /** Called when `read` may have a new result. */
  onChange: () => void = ignore;
  readonly #changed = () => this.onChange();

  /** @param failure converts an error of the body to the error that `next` throws */
  constructor(body: Readable, failure: (cause: unknown) => unknown) {
    this.#body = body;
    this.#failure = failure;
    for (const event of bodyEvents) body.on(event, this.#changed);
  }

  /**
   * Returns the next bytes. Undefined at the end.
   * @throws the result of `failure`, also if the body ends prematurely
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.read();
      if (typeof chunk !== "string") return chunk;
      if (chunk === "ended") return undefined;
      await new Promise<void>((resolve) => {
        this.onChange = resolve;
      });
    }
  }

  /** Returns the next bytes without waiting. After "nothing yet", wait for `onChange`. */
  read(): Buffer | "nothing yet" | "ended" {
    const body = this.#body;
    const chunk: Buffer | null = body.read();
    if (chunk !== null) return chunk;
    if (body.readableEnded) return "ended";
    if (body.destroyed) throw this.#failure(body.errored ?? new Error("the connection broke"));
    return "nothing yet";
  }

  /** Closes the body. A pending `next` fails. */
  close(): void {
    // The destruction of the body emits an error event. Without a listener, this event would terminate the process.
    this.#body.on("error", ignore);
    this.#body.destroy();
    for (const event of bodyEvents) this.#body.off(event, this.#changed);
    this.onChange();
  }
}

function ignore(): void {}

const bodyEvents = ["readable", "end", "error", "close"] as const;

/** Yields all chunks of the body, then closes it. */
export async function* chunksOf(body: BodyReader): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) yield chunk;
  } finally {
    body.close();
  }
}

/** Returns the first `maxBytes` of a body. After an abort or an error, returns the bytes that have arrived. */
export async function startOf(body: Readable, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = () => void body.destroy();
  signal.addEventListener("abort", stop);
  try {
    if (!signal.aborted) await readUpTo(body, maxBytes, chunks);
  } catch {
    // The bytes that arrived before the failure are still returned.
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/**
 * Reads up to `maxBytes`. Returns true if the body ended within the limit. If the body is longer, the body and its connection are
 * destroyed.
 */
async function readUpTo(body: Readable, maxBytes: number, chunks: Buffer[]): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of chunksOf(new BodyReader(body, (cause) => cause))) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return false;
  }
  return true;
}
