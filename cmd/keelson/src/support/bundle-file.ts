import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/** Content of a support bundle by file name. */
export type BundleFiles = ReadonlyMap<string, string>;

/**
 * Writes a gzip-compressed tar archive with permissions for its owner only. The file must not exist.
 * @throws operating system errors
 */
export async function writeBundle(path: string, files: BundleFiles): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createGzip(), createWriteStream(path, { flags: "wx", mode: 0o600 }));
  for (const [name, content] of files)
    archive.entry({ name: `keelson-support/${name}`, mode: 0o600 }, content);
  archive.finalize();
  await written;
}
