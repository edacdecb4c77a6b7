import type { Readable } from "node:stream";

/** An error's body is a `Status` of a few lines. */
export const maxErrorBytes = 64 * 1024;

/**
 * Reads a response body as a stream. The iterator of Node.js is unsuitable: it treats an HTTP/2 stream that
 * ended before its first read as broken, and a stream of a broken connection as complete. It is an object
 * instead of a generator, because a process may have ten thousand waiting watches.
 */
export class BodyReader {
  readonly #body: Readable;
  readonly #failure: (cause: unknown) => unknown;
  /** Called when `read` may have a new result. */
  onChange: () => void = ignore;
  readonly #changed = () => this.onChange();

  /** @param failure converts an error of the body to the thrown one */
  constructor(body: Readable, failure: (cause: unknown) => unknown) {
    this.#body = body;
    this.#failure = failure;
    for (const event of bodyEvents) body.on(event, this.#changed);
  }

  /**
   * Returns the next bytes. Undefined at the end. @throws the result of `failure`, also if the body ends
   * prematurely
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

  /** Non-blocking `next` for numerous readers. After "nothing yet", wait for `onChange`. */
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
    // The destruction causes an error event that must be ignored.
    this.#body.on("error", ignore);
    this.#body.destroy();
    for (const event of bodyEvents) this.#body.off(event, this.#changed);
    this.onChange();
  }
}

function ignore(): void {}

const bodyEvents = ["readable", "end", "error", "close"] as const;

/** All of it, in turn. */
export async function* chunksOf(body: BodyReader): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) yield chunk;
  } finally {
    body.close();
  }
}

/** Returns the beginning of a body that arrives before an abort or an error. */
export async function startOf(body: Readable, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = () => void body.destroy();
  signal.addEventListener("abort", stop);
  try {
    if (!signal.aborted) await readUpTo(body, maxBytes, chunks);
  } catch {
    // The bytes that arrived are still useful.
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/** True when that was all; otherwise the body, and with it the connection, is destroyed. */
async function readUpTo(body: Readable, maxBytes: number, chunks: Buffer[]): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of chunksOf(new BodyReader(body, (cause) => cause))) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return false;
  }
  return true;
}
