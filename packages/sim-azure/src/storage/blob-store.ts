import type { Store, Table } from "../store/store.ts";

/** One block of a blob that was put together from blocks. */
export interface BlockEntry {
  /** As the client chose it: base64. */
  readonly id: string;
  readonly size: number;
}

export interface Blob {
  /** Base64. */
  readonly content: string;
  readonly contentType: string;
  /** Without quotation marks. */
  readonly etag: string;
  readonly changedAt: string;
  readonly createdAt?: string;
  /** Other headers that a reader gets back: `cache-control`, `content-encoding` and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly blocks?: readonly BlockEntry[];
}

/** A blob's place. Names of blobs tell upper from lower case, the others do not. */
export interface BlobName {
  readonly account: string;
  readonly container: string;
  readonly name: string;
}

interface Block {
  readonly content: string;
}

/** The blobs of all accounts, and blocks that are not in one yet. Writes belong in a transaction. */
export class Blobs {
  readonly #blobs: Table<Blob>;
  readonly #blocks: Table<Block>;

  constructor(store: Store) {
    this.#blobs = store.table("blob");
    this.#blocks = store.table("blobBlock");
  }

  find(at: BlobName): Blob | undefined {
    return this.#blobs.get(keyOf(at));
  }

  /** Replaces what was there; blocks that wait there are forgotten. */
  put(at: BlobName, blob: Blob): void {
    this.#blobs.set(keyOf(at), blob);
    this.#forgetBlocks(at);
  }

  delete(at: BlobName): void {
    this.#blobs.delete(keyOf(at));
    this.#forgetBlocks(at);
  }

  /** By name, of one container. */
  list(account: string, container: string, prefix: string): readonly (readonly [string, Blob])[] {
    const folder = folderOf(account, container);
    const found: [string, Blob][] = [];
    for (const [key, blob] of this.#blobs.entries()) {
      if (key.startsWith(folder + prefix)) found.push([key.slice(folder.length), blob]);
    }
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  deleteContainer(account: string, container: string): void {
    const folder = folderOf(account, container);
    for (const table of [this.#blobs, this.#blocks]) {
      for (const key of [...table.keys()]) if (key.startsWith(folder)) table.delete(key);
    }
  }

  putBlock(at: BlobName, id: string, content: Buffer): void {
    this.#blocks.set(blockKey(at, id), { content: content.toString("base64") });
  }

  findBlock(at: BlobName, id: string): Buffer | undefined {
    const block = this.#blocks.get(blockKey(at, id));
    return block && Buffer.from(block.content, "base64");
  }

  /** Blocks that are in no blob yet. */
  waitingBlocks(at: BlobName): readonly BlockEntry[] {
    const prefix = blockKey(at, "");
    return [...this.#blocks.entries()]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { content }]) => ({
        id: key.slice(prefix.length),
        size: Buffer.byteLength(content, "base64"),
      }));
  }

  #forgetBlocks(at: BlobName): void {
    for (const { id } of this.waitingBlocks(at)) this.#blocks.delete(blockKey(at, id));
  }
}

function folderOf(account: string, container: string): string {
  return `${account.toLowerCase()}/${container.toLowerCase()}/`;
}

function keyOf({ account, container, name }: BlobName): string {
  return folderOf(account, container) + name;
}

/** No blob's name has a line break, since no path may. */
function blockKey(at: BlobName, id: string): string {
  return `${keyOf(at)}\n${id}`;
}
