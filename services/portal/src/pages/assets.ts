import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** File of the pages, ready for sending. */
export interface Asset {
  readonly contentType: string;
  readonly bytes: Buffer;
  /**
   * Returns the compressed content, or undefined if it is not smaller. The first call compresses the content, so that the start of
   * the process does not wait for it.
   */
  readonly gzipped: () => Promise<Buffer | undefined>;
  readonly etag: string;
  /** True if the file name contains a hash of the content. */
  readonly isImmutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
};
const compressible = new Set([".html", ".js", ".css", ".json", ".svg", ".txt"]);
/** Matches file names with the hash that Vite adds. */
const hashedName = /[-.][\w-]{8,}\.\w+$/;
const compress = promisify(gzip);
const maxFiles = 2_000;
const maxBytes = 64 * 2 ** 20;

/**
 * Reads the built pages of a directory into memory. The keys of the result are relative paths. Undefined if the pages were not
 * built.
 */
export async function readAssets(directory: string): Promise<ReadonlyMap<string, Asset> | undefined> {
  const names = await filesIn(directory);
  if (!names?.includes("index.html")) return undefined;
  if (names.length > maxFiles) throw new Error(`${directory} has more than ${maxFiles} files`);
  const assets = new Map<string, Asset>();
  let bytes = 0;
  for (const name of names) {
    const contentType = contentTypes[extname(name)];
    if (contentType === undefined) continue;
    const asset = assetOf(name, contentType, await readFile(join(directory, name)));
    bytes += asset.bytes.length;
    if (bytes > maxBytes) throw new Error(`${directory} has more than ${maxBytes} bytes`);
    assets.set(name, asset);
  }
  return assets;
}

async function filesIn(directory: string): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
  } catch {
    return undefined;
  }
}

function assetOf(name: string, contentType: string, bytes: Buffer): Asset {
  let smaller: Promise<Buffer | undefined> | undefined;
  return {
    contentType,
    bytes,
    gzipped() {
      smaller ??= compressible.has(extname(name)) ? compressed(bytes) : Promise.resolve(undefined);
      return smaller;
    },
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isImmutable: name.startsWith("assets/") && hashedName.test(name),
  };
}

async function compressed(bytes: Buffer): Promise<Buffer | undefined> {
  const gzipped = await compress(bytes, { level: 9 });
  return gzipped.length < bytes.length ? gzipped : undefined;
}
