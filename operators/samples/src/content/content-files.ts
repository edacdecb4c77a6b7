import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@keelson/base";
import type { ContentKind } from "./parse-content.ts";

/** What a catalogue may consist of. */
export interface ContentLimits {
  /** Files and folders of the whole catalogue. */
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Folders inside each other. */
  readonly depth: number;
}

/** An object that etcd takes is below 1.5 MB; the largest real catalogue has 100 files of 1 MB together. */
export const contentLimits: ContentLimits = {
  entries: 10_000,
  fileBytes: 1_000_000,
  totalBytes: 64_000_000,
  depth: 8,
};

/** A file below a catalogue's folder; `path` is relative to it. */
export type ContentFile =
  | { readonly path: string; readonly kind: ContentKind; readonly text: string }
  | { readonly path: string; readonly problem: string };

/**
 * The files of a catalogue in the order of their paths: those that end with `.json` in a folder whose name ends with
 * `imagestreams` or `templates`. Links are not followed. What cannot be read, or is more than the limits allow, is a problem.
 * @throws when the folder itself cannot be read
 */
export async function* contentFiles(
  folder: string,
  signal: AbortSignal,
  limits: ContentLimits = contentLimits,
): AsyncGenerator<ContentFile> {
  const left = { entries: limits.entries, bytes: limits.totalBytes };

  async function* walk(path: string, depth: number): AsyncGenerator<ContentFile> {
    signal.throwIfAborted();
    let entries: Dirent[];
    try {
      entries = await readdir(join(folder, path), { withFileTypes: true });
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
        else yield { path: below, problem: `deeper than ${limits.depth} folders` };
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
      problem: `more than ${limits.entries} files and folders: the rest is left out`,
    };
  }

  async function read(path: string, kind: ContentKind): Promise<ContentFile> {
    signal.throwIfAborted();
    try {
      const { size } = await stat(join(folder, path));
      if (size > limits.fileBytes) return { path, problem: `larger than ${limits.fileBytes} bytes` };
      if (size > left.bytes)
        return { path, problem: `the catalogue is larger than ${limits.totalBytes} bytes` };
      left.bytes -= size;
      return { path, kind, text: await readFile(join(folder, path), { encoding: "utf8", signal }) };
    } catch (error) {
      signal.throwIfAborted();
      return { path, problem: messageOf(error) };
    }
  }

  yield* walk("", 0);
}

function kindOf(folder: string): ContentKind | undefined {
  return (["imagestreams", "templates"] as const).find((kind) => folder.endsWith(kind));
}
