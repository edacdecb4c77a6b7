import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  writeSync,
} from "node:fs";
import { open, rename, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Extent, sizeOf } from "./extents.ts";

/** Content on disk that does not belong to a blob yet. */
export interface ReceivedContent {
  /** Location of the content. Undefined for empty content. */
  readonly extent: Extent | undefined;
  readonly size: number;
  /** MD5 digest, base64. */
  readonly md5: string;
}

/** Blob content in files with generated names. Client-defined blob names are never used as paths. */
export class BlobFiles {
  readonly #kept: string | undefined;
  #made: string | undefined;
  /** Number of responses that are reading each file. */
  readonly #readers = new Map<string, number>();
  /** Files that are deleted when no response reads them anymore. */
  readonly #discarded = new Set<string>();
  readonly #deletions = new Set<Promise<void>>();

  /**
   * @param kept directory for the files, created on first use. Default: a temporary directory that is deleted with this object
   */
  constructor(kept?: string) {
    this.#kept = kept;
  }

  /** Writes a stream to a new file. Resolves when the file is on disk. If `source` fails, the new file is removed. */
  async receive(source: AsyncIterable<Buffer>): Promise<ReceivedContent> {
    const file = randomUUID();
    const part = `${this.#pathOf(file)}.part`;
    const hash = createHash("md5");
    let size = 0;
    try {
      const handle = await open(part, "wx", 0o600);
      try {
        for await (const chunk of source) {
          hash.update(chunk);
          size += chunk.length;
          await handle.writeFile(chunk);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (size === 0) await unlink(part);
      else {
        await rename(part, this.#pathOf(file));
        this.#syncDirectory();
      }
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    return { extent: size === 0 ? undefined : { file, offset: 0, size }, size, md5: hash.digest("base64") };
  }

  /** Writes content synchronously. Used for stores of earlier releases, which contain blob content in rows. */
  writeSync(content: Buffer): readonly Extent[] {
    if (content.length === 0) return [];
    const file = randomUUID();
    const handle = openSync(this.#pathOf(file), "wx", 0o600);
    try {
      for (let at = 0; at < content.length; ) at += writeSync(handle, content, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    this.#syncDirectory();
    return [{ file, offset: 0, size: content.length }];
  }

  /** Streams the extents in order. Their files are kept until the stream ends. */
  read(extents: readonly Extent[]): Readable {
    const files = [...new Set(extents.map(({ file }) => file))];
    for (const file of files) this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
    const stream = Readable.from(this.#chunks(extents), { objectMode: false });
    stream.once("close", () => {
      for (const file of files) this.#release(file);
    });
    return stream;
  }

  async readWhole(extents: readonly Extent[]): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(extents)) chunks.push(chunk);
    return Buffer.concat(chunks, sizeOf(extents));
  }

  /** Deletes a file that does not belong to a blob. The deletion waits until no response reads the file. */
  discard(file: string): void {
    if (this.#readers.has(file)) {
      this.#discarded.add(file);
      return;
    }
    // Errors are ignored, because the next process deletes files that remain.
    const deletion = rm(this.#pathOf(file), { force: true })
      .catch(() => undefined)
      .finally(() => this.#deletions.delete(deletion));
    this.#deletions.add(deletion);
  }

  /**
   * Deletes files that are not in `known`. Such a file remains if a process was killed after it wrote the file and before it
   * stored the blob's row.
   */
  sweep(known: ReadonlySet<string>): void {
    if (this.#kept === undefined || !existsSync(this.#kept)) return;
    for (const file of readdirSync(this.#kept)) if (!known.has(file)) this.discard(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#deletions);
    if (this.#kept === undefined && this.#made) await rm(this.#made, { recursive: true, force: true });
  }

  async *#chunks(extents: readonly Extent[]): AsyncGenerator<Buffer, void, void> {
    for (const { file, offset, size } of extents) {
      const stream = createReadStream(this.#pathOf(file), { start: offset, end: offset + size - 1 });
      for await (const chunk of stream) yield chunk;
    }
  }

  #release(file: string): void {
    const left = (this.#readers.get(file) ?? 1) - 1;
    if (left > 0) {
      this.#readers.set(file, left);
      return;
    }
    this.#readers.delete(file);
    if (this.#discarded.delete(file)) this.discard(file);
  }

  #pathOf(file: string): string {
    return join(this.#directory(), file);
  }

  #directory(): string {
    if (this.#made !== undefined) return this.#made;
    if (this.#kept !== undefined) mkdirSync(this.#kept, { recursive: true, mode: 0o700 });
    this.#made = this.#kept ?? mkdtempSync(join(tmpdir(), "keelson-blobs-"));
    return this.#made;
  }

  /** Syncs the directory, so that a new file name is durable. */
  #syncDirectory(): void {
    const handle = openSync(this.#directory(), "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}
