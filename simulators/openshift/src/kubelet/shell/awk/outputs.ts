import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { CommandIo } from "../command.ts";

const maxOpen = 50;
const maxWaiting = 8 * 1_024;

/** Where a program prints: standard output, in larger pieces, and files that stay open until it ends. */
export class AwkOutputs {
  readonly #io: CommandIo;
  readonly #files = new Map<string, WriteStream>();
  #waiting = "";

  constructor(io: CommandIo) {
    this.#io = io;
  }

  /** A promise where the reader has to be waited for. */
  write(text: string): Promise<void> | undefined {
    this.#waiting += text;
    return this.#waiting.length > maxWaiting ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") await this.#io.stdout(text);
  }

  async writeTo(name: string, append: boolean, text: string): Promise<void> {
    if (name === "/dev/stdout" || name === "-") return this.write(text);
    if (name === "/dev/stderr") {
      await this.flush();
      return this.#io.stderr(text);
    }
    let file = this.#files.get(name);
    if (!file) {
      if (this.#files.size >= maxOpen) throw new Error("too many open files");
      const place = await this.#io.files.resolveForWriting(this.#io.files.absolute(name, this.#io.folder));
      file = createWriteStream(place, { flags: append ? "a" : "w" });
      await once(file, "open");
      this.#files.set(name, file);
    }
    if (!file.write(text)) await once(file, "drain");
  }

  /** 0 where the file was open, otherwise -1. */
  async closeFile(name: string): Promise<number> {
    const file = this.#files.get(name);
    if (!file) return -1;
    this.#files.delete(name);
    await finished(file.end());
    return 0;
  }

  async close(): Promise<void> {
    await this.flush();
    for (const name of [...this.#files.keys()]) await this.closeFile(name);
  }
}
