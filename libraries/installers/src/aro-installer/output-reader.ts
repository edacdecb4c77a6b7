import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const chunkBytes = 256 * 1024;

/** Reads a growing file line by line. */
export class OutputReader {
  readonly #path: string;
  #offset = 0;
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Number of bytes that were read or skipped. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Returns the complete lines that were added since the last call. If they exceed 256 KiB, only the last 256 KiB are returned.
   */
  read(): readonly string[] {
    const { bytes, end } = readFrom(this.#path, this.#offset);
    this.#offset = end;
    const lines = (this.#rest + bytes.toString("utf8")).split("\n");
    this.#rest = (lines.pop() ?? "").slice(-chunkBytes);
    return lines;
  }
}

/** Returns the end of a file. Returns an empty string if the file is missing. */
export function tailOf(path: string): string {
  return readFrom(path, 0).bytes.toString("utf8");
}

function readFrom(path: string, offset: number): { readonly bytes: Buffer; readonly end: number } {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return { bytes: Buffer.alloc(0), end: offset };
  }
  try {
    const { size } = fstatSync(file);
    const start = Math.max(offset, size - chunkBytes);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const read = readSync(file, bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, read), end: start + read };
  } finally {
    closeSync(file);
  }
}
