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

/** Reads the built pages by their paths. Undefined if they are not built. */
export async function readAssets(directory: string): Promise<ReadonlyMap<string, Asset> | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
  if (!names.includes("index.html")) return undefined;
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const contentType = contentTypes[extname(name)];
    if (contentType === undefined) continue;
    const bytes = await readFile(join(directory, name));
    assets.set(name, {
      contentType,
      bytes,
      gzipped: await compress(bytes),
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
      isImmutable: name.startsWith("assets/"),
    });
  }
  return assets;
}
