import type { LogOptions } from "@keelson/apiserver";

type StreamName = "stdout" | "stderr";

interface LogLine {
  readonly at: Date;
  readonly stream: StreamName;
  readonly text: string;
}

/** Maximum size of a container log in bytes. A larger log loses its oldest lines, like a rotated file. */
const maxBytes = 1_024 * 1_024;
/** Maximum length of a log line in bytes. Longer lines are split. */
const maxLineBytes = 16 * 1_024;

/** Log of one container run. An empty log allocates nothing. Followers receive each new line. */
export class LogBuffer {
  #lines: LogLine[] = [];
  #bytes = 0;
  /** Number of dropped lines. Also the index of the first remaining line. */
  #first = 0;
  #partial: { stdout: string; stderr: string } = { stdout: "", stderr: "" };
  #closed = false;
  readonly #waiting = new Set<() => void>();

  append(stream: StreamName, chunk: Uint8Array | string, at: Date): void {
    const text = this.#partial[stream] + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const lines = text.split("\n");
    let rest = lines.pop() ?? "";
    for (const line of lines) this.#add({ at, stream, text: line });
    while (rest.length > maxLineBytes) {
      this.#add({ at, stream, text: rest.slice(0, maxLineBytes) });
      rest = rest.slice(maxLineBytes);
    }
    this.#partial[stream] = rest;
    this.#wake();
  }

  /** Closes the log. Adds an incomplete last line and stops all followers. */
  close(at: Date): void {
    for (const stream of ["stdout", "stderr"] as const) {
      if (this.#partial[stream]) this.#add({ at, stream, text: this.#partial[stream] });
      this.#partial[stream] = "";
    }
    this.#closed = true;
    this.#wake();
  }

  /** Returns the retained output exactly as written. */
  text(): string {
    return `${this.#lines.map(({ text }) => `${text}\n`).join("")}${this.#partial.stdout}`;
  }

  /** Returns the last lines of the output, limited by number and bytes. */
  end(maxBytes: number, maxLines: number): string {
    const text = this.#lines
      .slice(-maxLines)
      .map(({ text }) => `${text}\n`)
      .join("");
    return Buffer.from(text).subarray(-maxBytes).toString();
  }

  async *read(
    { follow, since, tailLines, timestamps, stream }: Omit<LogOptions, "container" | "previous">,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const wanted = (line: LogLine) =>
      (stream === undefined || line.stream === stream) && (since === undefined || line.at >= since);
    let next = this.#first;
    if (tailLines !== undefined) {
      const kept = Math.min(tailLines, this.#lines.length);
      next = this.#first + this.#lines.length - kept;
    }
    for (;;) {
      next = Math.max(next, this.#first);
      const batch = this.#lines.slice(next - this.#first, next - this.#first + 500);
      next += batch.length;
      const text = batch
        .filter(wanted)
        .map((line) => (timestamps ? `${nanoseconds(line.at)} ${line.text}\n` : `${line.text}\n`))
        .join("");
      if (text) yield Buffer.from(text);
      if (batch.length > 0) continue;
      if (!follow || this.#closed || signal.aborted) return;
      await this.#nextLine(signal);
    }
  }

  #add(line: LogLine): void {
    this.#lines.push(line);
    this.#bytes += line.text.length + 1;
    if (this.#bytes <= maxBytes) return;
    // Drops half of the log at once. If each new line dropped one old line, each new line would move the complete array.
    let dropped = 0;
    while (this.#bytes > maxBytes / 2) {
      this.#bytes -= (this.#lines[dropped]?.text.length ?? 0) + 1;
      dropped += 1;
    }
    this.#lines = this.#lines.slice(dropped);
    this.#first += dropped;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #nextLine(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    await promise;
    signal.removeEventListener("abort", wake);
    this.#waiting.delete(wake);
  }
}

/** Formats a time as RFC 3339 with nine fractional digits, like container runtimes. */
function nanoseconds(at: Date): string {
  return at.toISOString().replace(/(\.\d{3})Z$/, "$1000000Z");
}
