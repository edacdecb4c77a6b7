import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** File of the console's web pages. */
export interface Asset {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
  /** True if the file name contains a hash of the content. */
  readonly isImmutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const compress = promisify(gzip);

/** Built web pages. Each file is read and compressed at its first request. The list of files is read once. */
export class Assets {
  readonly #directory: string;
  readonly #loaded = new Map<string, Promise<Asset>>();
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Finds a file. `name` is a path relative to the directory, for example `assets/index-0a1b.js`. */
  async find(name: string): Promise<Asset | undefined> {
    if (!(await this.#list()).has(name)) return undefined;
    const loading = this.#loaded.get(name) ?? load(this.#directory, name);
    this.#loaded.set(name, loading);
    return loading;
  }

  async #list(): Promise<ReadonlySet<string>> {
    this.#names ??= filesIn(this.#directory);
    const names = await this.#names;
    // The pages may be built later, so an empty list is not cached.
    if (names.size === 0) this.#names = undefined;
    return names;
  }
}

async function filesIn(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && Object.hasOwn(contentTypes, extname(entry.name)))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
  return new Set(names);
}

async function load(directory: string, name: string): Promise<Asset> {
  const bytes = await readFile(join(directory, name));
  return {
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    bytes,
    gzipped: await compress(bytes),
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isImmutable: name.startsWith("assets/"),
  };
}
