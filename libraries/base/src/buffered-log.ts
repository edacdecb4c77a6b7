import process from "node:process";
import type { DestinationStream } from "pino";

/** Instances with unwritten lines. */
const waiting = new Set<BufferedLog>();
let writesAtExit = false;

/**
 * Log destination that buffers the lines of one event loop iteration and writes them together. A separate write per line is
 * expensive in a busy service. Remaining lines are written at exit. Only a kill can lose the lines of the last iteration.
 */
export class BufferedLog implements DestinationStream {
  readonly #destination: DestinationStream;
  #lines = "";

  constructor(destination: DestinationStream) {
    this.#destination = destination;
  }

  write(line: string): void {
    if (this.#lines === "") this.#schedule();
    this.#lines += line;
  }

  #schedule(): void {
    waiting.add(this);
    if (!writesAtExit) {
      writesAtExit = true;
      process.on("exit", () => {
        for (const each of waiting) each.#flush();
      });
    }
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    waiting.delete(this);
    const lines = this.#lines;
    this.#lines = "";
    if (lines !== "") this.#destination.write(lines);
  }
}
