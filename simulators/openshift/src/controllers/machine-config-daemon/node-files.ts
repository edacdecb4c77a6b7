import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { resolveBelow } from "../../kubelet/containers/resolve-path.ts";

/**
 * Updates the files on a node after a change of the rendered config. Writes the files of the new config and deletes files that
 * only the previous config contained. Symbolic links and `..` cannot escape the node's directory.
 */
export async function applyFiles(
  directory: string,
  from: KubeObject | undefined,
  to: KubeObject,
): Promise<void> {
  const wanted = filesOf(to);
  const kept = new Set(wanted.map(({ path }) => path));
  for (const { path } of filesOf(from)) if (!kept.has(path)) await removeFile(directory, path);
  for (const { path, mode, contents } of wanted) {
    await writeFile(await placeIn(directory, path), contents, { mode });
  }
}

interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: Buffer;
}

function filesOf(config: KubeObject | undefined): readonly NodeFile[] {
  return listAt(config, "spec", "config", "storage", "files").flatMap((file) => {
    const path = stringAt(file, "path");
    const contents = decodeDataUrl(stringAt(file, "contents", "source") ?? "data:,");
    // Skips remote contents because simulated nodes have no network.
    return path === undefined || contents === undefined
      ? []
      : [{ path, mode: numberAt(file, "mode") ?? 0o644, contents }];
  });
}

/** Decodes a `data:` URL (RFC 2397). `undefined` if it is invalid. */
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

/** Resolves a path in the node's directory on disk. Creates the parent directory and removes an existing file. */
async function placeIn(directory: string, path: string): Promise<string> {
  const target = await resolveBelow(directory, path, { keepLink: true });
  if (target === join(directory)) throw new Error(`${JSON.stringify(path)} is not the path of a file`);
  await mkdir(dirname(target), { recursive: true });
  await rm(target, { recursive: true, force: true });
  return target;
}

async function removeFile(directory: string, path: string): Promise<void> {
  await placeIn(directory, path);
}
