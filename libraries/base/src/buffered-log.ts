import process from "node:process";
import type { DestinationStream } from "pino";

/** Those with lines that are not written yet. */
const waiting = new Set<BufferedLog>();
let writesAtExit = false;

/**
 * Writes the lines of one turn of the event loop together: a line for each request, written by itself, costs a busy
 * service more than to make it. What a process still has when it exits is written then; only a kill can lose the
 * lines of its last turn.
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
