import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file of the pages. */
export interface Asset {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
  /** True for a file with a hash of its content in its name. */
  readonly isImmutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const compress = promisify(gzip);

/** The built pages. Files are read and compressed with their first request. Only files that exist at the first one are found. */
export class Assets {
  readonly #directory: string;
  readonly #loaded = new Map<string, Promise<Asset>>();
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `name` is a path below the directory, for example `assets/index-0a1b.js`. */
  async find(name: string): Promise<Asset | undefined> {
    if (!(await this.#list()).has(name)) return undefined;
    const loading = this.#loaded.get(name) ?? load(this.#directory, name);
    this.#loaded.set(name, loading);
    return loading;
  }

  async #list(): Promise<ReadonlySet<string>> {
    this.#names ??= filesIn(this.#directory);
    const names = await this.#names;
    // Pages that were missing may be built later.
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
