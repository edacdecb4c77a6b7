import type { Store, Table } from "../store/store.ts";
import type { BlobFiles, ReceivedContent } from "./blob-files.ts";
import { type Extent, sizeOf } from "./extents.ts";

/** Block of a blob that was assembled from blocks. */
export interface BlockEntry {
  /** Client-defined block ID in base64. */
  readonly id: string;
  readonly size: number;
}

export interface Blob {
  readonly extents: readonly Extent[];
  readonly contentType: string;
  /** Etag without quotation marks. */
  readonly etag: string;
  readonly changedAt: string;
  readonly createdAt?: string;
  /** Further response headers, such as `cache-control` and `content-encoding`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly blocks?: readonly BlockEntry[];
}

/** Name that identifies a blob. Account and container are case-insensitive. The blob name is case-sensitive. */
export interface BlobName {
  readonly account: string;
  readonly container: string;
  readonly name: string;
}

/** Common fields of both tables. Rows of earlier releases contain the content in base64 instead of extents. */
interface Row {
  readonly extents: readonly Extent[];
  readonly content?: string;
}

interface Block extends Row {
  /** Key of the blob to which the block belongs. */
  readonly of: string;
  readonly id: string;
}

/**
 * Blobs of all accounts and their uncommitted blocks. Their rows are in the store, and their content is in files. A file is
 * written before the first row that refers to it. The file is deleted after the last such row has been removed. Writes must run
 * in a transaction.
 */
export class Blobs {
  readonly files: BlobFiles;
  readonly #blobs: Table<Blob>;
  readonly #blocks: Table<Block>;
  /** Number of extents that refer to each file. */
  readonly #uses = new Map<string, number>();
  /** Uncommitted blocks by blob key and block ID. */
  readonly #waiting = new Map<string, Map<string, Block>>();
  /** Files to which no row refers anymore. They are deleted when the removal of the last row is durable. */
  readonly #unused = new Set<string>();

  constructor(store: Store, files: BlobFiles) {
    this.files = files;
    this.#blobs = store.table("blob");
    this.#blocks = store.table("blobBlock");
    moveToFiles(store, files);
    store.index<Blob>("blob", (before, after) => this.#count(before, after));
    store.index<Block>("blobBlock", (before, after) => {
      this.#count(before, after);
      if (before) this.#waiting.get(before.of)?.delete(before.id);
      if (after) this.#waiting.set(after.of, (this.#waiting.get(after.of) ?? new Map()).set(after.id, after));
      else if (before && this.#waiting.get(before.of)?.size === 0) this.#waiting.delete(before.of);
    });
    for (const table of ["blob", "blobBlock"]) store.onChange(table, () => this.#deleteUnused());
    files.sweep(new Set(this.#uses.keys()));
  }

  find(at: BlobName): Blob | undefined {
    return this.#blobs.get(keyOf(at));
  }

  /** Replaces a blob and removes its uncommitted blocks. */
  put(at: BlobName, blob: Blob): void {
    this.#blobs.set(keyOf(at), blob);
    this.#forgetBlocks(at);
  }

  delete(at: BlobName): void {
    this.#blobs.delete(keyOf(at));
    this.#forgetBlocks(at);
  }

  /** Returns the blobs of a container, sorted by name. */
  list(account: string, container: string, prefix: string): readonly (readonly [string, Blob])[] {
    const directory = directoryOf(account, container);
    const found: [string, Blob][] = [];
    for (const [key, blob] of this.#blobs.entries()) {
      if (key.startsWith(directory + prefix)) found.push([key.slice(directory.length), blob]);
    }
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  deleteContainer(account: string, container: string): void {
    const directory = directoryOf(account, container);
    for (const table of [this.#blobs, this.#blocks]) {
      for (const key of [...table.keys()]) if (key.startsWith(directory)) table.delete(key);
    }
  }

  putBlock(at: BlobName, id: string, extents: readonly Extent[]): void {
    this.#blocks.set(blockKey(at, id), { of: keyOf(at), id, extents });
  }

  findBlock(at: BlobName, id: string): readonly Extent[] | undefined {
    return this.#blocks.get(blockKey(at, id))?.extents;
  }

  /** Deletes received content unless a row refers to it. */
  abandon({ extent }: ReceivedContent): void {
    if (extent && !this.#uses.has(extent.file)) this.files.discard(extent.file);
  }

  /** Returns the uncommitted blocks of a blob. */
  waitingBlocks(at: BlobName): readonly BlockEntry[] {
    const blocks = this.#waiting.get(keyOf(at))?.values() ?? [];
    return [...blocks].map(({ id, extents }) => ({ id, size: sizeOf(extents) }));
  }

  waitingCount(at: BlobName): number {
    return this.#waiting.get(keyOf(at))?.size ?? 0;
  }

  #forgetBlocks(at: BlobName): void {
    for (const { id } of this.waitingBlocks(at)) this.#blocks.delete(blockKey(at, id));
  }

  #count(before: Row | undefined, after: Row | undefined): void {
    for (const { file } of after?.extents ?? []) this.#uses.set(file, (this.#uses.get(file) ?? 0) + 1);
    for (const { file } of before?.extents ?? []) {
      const uses = (this.#uses.get(file) ?? 1) - 1;
      if (uses > 0) this.#uses.set(file, uses);
      else {
        this.#uses.delete(file);
        this.#unused.add(file);
      }
    }
  }

  /** Deletes unreferenced files. Called when all rows are on disk. */
  #deleteUnused(): void {
    for (const file of this.#unused) if (!this.#uses.has(file)) this.files.discard(file);
    this.#unused.clear();
  }
}

/** Migrates rows of earlier releases. Moves their content from the rows to files. */
function moveToFiles(store: Store, files: BlobFiles): void {
  store.transaction(() => {
    for (const name of ["blob", "blobBlock"]) {
      const table = store.table<Row>(name);
      for (const [key, row] of [...table.entries()]) {
        if (row.content === undefined) continue;
        const { content, ...rest } = row;
        const [of = "", id] = key.split("\n");
        const extents = files.writeSync(Buffer.from(content, "base64"));
        table.set(key, { ...rest, extents, ...(id === undefined ? {} : { of, id }) });
      }
    }
  });
}

function directoryOf(account: string, container: string): string {
  return `${account.toLowerCase()}/${container.toLowerCase()}/`;
}

function keyOf({ account, container, name }: BlobName): string {
  return directoryOf(account, container) + name;
}

/** Returns the key of a block. The separator is a line break, which blob names cannot contain. */
function blockKey(at: BlobName, id: string): string {
  return `${keyOf(at)}\n${id}`;
}
