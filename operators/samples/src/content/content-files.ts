import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@keelson/base";
import type { ContentKind } from "./parse-content.ts";

/** Limits of a catalogue's size. */
export interface ContentLimits {
  /** Maximum number of files and directories. */
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Maximum nesting depth of directories. */
  readonly depth: number;
}

/** Default limits. etcd limits objects to 1.5 MB. The largest real catalogue has 100 files with a total of 1 MB. */
export const contentLimits: ContentLimits = {
  entries: 10_000,
  fileBytes: 1_000_000,
  totalBytes: 64_000_000,
  depth: 8,
};

/** File of a catalogue. `path` is relative to the catalogue's directory. */
export type ContentFile =
  | { readonly path: string; readonly kind: ContentKind; readonly text: string }
  | { readonly path: string; readonly problem: string };

/**
 * Yields the files of a catalogue, sorted by path. A file of the catalogue has the suffix `.json` and is in a directory with the
 * suffix `imagestreams` or `templates`. Links are not followed. Unreadable files and exceeded limits are reported as problems.
 * @throws if the directory cannot be read
 */
export async function* contentFiles(
  directory: string,
  signal: AbortSignal,
  limits: ContentLimits = contentLimits,
): AsyncGenerator<ContentFile> {
  const left = { entries: limits.entries, bytes: limits.totalBytes };

  async function* walk(path: string, depth: number): AsyncGenerator<ContentFile> {
    signal.throwIfAborted();
    let entries: Dirent[];
    try {
      entries = await readdir(join(directory, path), { withFileTypes: true });
    } catch (error) {
      if (path === "") throw error;
      yield { path, problem: messageOf(error) };
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left.entries-- <= 0) return yield* overLimit(path);
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < limits.depth) yield* walk(below, depth + 1);
        else yield { path: below, problem: `deeper than ${limits.depth} directories` };
        continue;
      }
      const kind = kindOf(path);
      if (!kind || !entry.name.endsWith(".json")) continue;
      yield entry.isFile()
        ? await read(below, kind)
        : { path: below, problem: "no regular file: put the file itself there" };
    }
  }

  function* overLimit(path: string): Generator<ContentFile> {
    if (left.entries < -1) return;
    yield {
      path: path || ".",
      problem: `more than ${limits.entries} files and directories: the rest is omitted`,
    };
  }

  async function read(path: string, kind: ContentKind): Promise<ContentFile> {
    signal.throwIfAborted();
    try {
      const { size } = await stat(join(directory, path));
      if (size > limits.fileBytes) return { path, problem: `larger than ${limits.fileBytes} bytes` };
      if (size > left.bytes)
        return { path, problem: `the catalogue is larger than ${limits.totalBytes} bytes` };
      left.bytes -= size;
      return { path, kind, text: await readFile(join(directory, path), { encoding: "utf8", signal }) };
    } catch (error) {
      signal.throwIfAborted();
      return { path, problem: messageOf(error) };
    }
  }

  yield* walk("", 0);
}

function kindOf(directory: string): ContentKind | undefined {
  return (["imagestreams", "templates"] as const).find((kind) => directory.endsWith(kind));
}
