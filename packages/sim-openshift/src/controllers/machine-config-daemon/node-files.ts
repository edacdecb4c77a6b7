import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, textAt } from "../../runtime/fields.ts";

/**
 * Brings the files of a node's folder from one rendered config to another: those of the new one are written, those that
 * only the old one had go. Paths that lead out of the folder are left alone.
 */
export async function applyFiles(
  folder: string,
  from: KubeObject | undefined,
  to: KubeObject,
): Promise<void> {
  const wanted = filesOf(to);
  const kept = new Set(wanted.map(({ path }) => path));
  for (const { path } of filesOf(from)) if (!kept.has(path)) await removeFile(folder, path);
  for (const { path, mode, contents } of wanted) {
    const target = await placeIn(folder, path);
    if (target !== undefined) await writeFile(target, contents, { mode });
  }
}

interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: Buffer;
}

function filesOf(config: KubeObject | undefined): readonly NodeFile[] {
  return listAt(config, "spec", "config", "storage", "files").flatMap((file) => {
    const path = textAt(file, "path");
    const contents = decodeDataUrl(textAt(file, "contents", "source") ?? "data:,");
    // What is to be fetched from elsewhere stays unfetched: nodes have no network.
    return path === undefined || contents === undefined
      ? []
      : [{ path, mode: numberAt(file, "mode") ?? 0o644, contents }];
  });
}

/** RFC 2397. */
function decodeDataUrl(url: string): Buffer | undefined {
  const match = /^data:([^,]*),(.*)$/s.exec(url);
  if (!match) return undefined;
  const [, mediaType = "", body = ""] = match;
  try {
    const text = decodeURIComponent(body);
    return mediaType.endsWith(";base64") ? Buffer.from(text, "base64") : Buffer.from(text);
  } catch {
    return undefined;
  }
}

/** Where a path of the node is on disk, its directory made; `undefined` when links or dots lead out of the folder. */
async function placeIn(folder: string, path: string): Promise<string | undefined> {
  const target = join(folder, join(sep, path));
  await mkdir(dirname(target), { recursive: true });
  const [root, parent] = [await realpath(folder), await realpath(dirname(target))];
  if (parent !== root && !parent.startsWith(root + sep)) return undefined;
  // A link at the place itself is replaced, not followed.
  await rm(target, { recursive: true, force: true });
  return target;
}

async function removeFile(folder: string, path: string): Promise<void> {
  await placeIn(folder, path);
}
