import type { Readable } from "node:stream";

/** An error's body is a `Status` of a few lines. */
export const maxErrorBytes = 64 * 1024;

/**
 * Reads a body as it arrives. Node.js' own iterator takes a stream of HTTP/2 for broken whose end has come before anybody
 * reads it, and one whose connection breaks for whole. An object, not a generator: a process may have ten thousand
 * watches that wait.
 */
export class BodyReader {
  readonly #body: Readable;
  readonly #failure: (cause: unknown) => unknown;
  /** Called when `read` may have more to say than "nothing yet". */
  onChange: () => void = ignore;
  readonly #changed = () => this.onChange();

  /** @param failure what is thrown for an error of the body */
  constructor(body: Readable, failure: (cause: unknown) => unknown) {
    this.#body = body;
    this.#failure = failure;
    for (const event of bodyEvents) body.on(event, this.#changed);
  }

  /** The next bytes; `undefined` at the end. @throws what `failure` gives, of Error when the body just stops */
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

  /** The same for readers that are many, without a call that waits: "nothing yet" is until `onChange` is called. */
  read(): Buffer | "nothing yet" | "ended" {
    const body = this.#body;
    const chunk: Buffer | null = body.read();
    if (chunk !== null) return chunk;
    if (body.readableEnded) return "ended";
    if (body.destroyed) throw this.#failure(body.errored ?? new Error("the connection broke"));
    return "nothing yet";
  }

  /** A `next` that waits gets its failure. */
  close(): void {
    // Its destruction is no failure of its own.
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

/** The beginning of a body, as far as it comes before the signal or its failure. */
export async function startOf(body: Readable, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = () => void body.destroy();
  signal.addEventListener("abort", stop);
  try {
    if (!signal.aborted) await readUpTo(body, maxBytes, chunks);
  } catch {
    // What came is of use all the same.
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
