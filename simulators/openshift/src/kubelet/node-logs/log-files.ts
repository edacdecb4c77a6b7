import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { messageOf } from "@keelson/base";
import { resolveBelow } from "../containers/resolve-path.ts";

/** File or directory below a node's `/var/log`. */
export type LogFile =
  | { readonly kind: "directory"; readonly names: readonly string[] }
  | { readonly kind: "file"; readonly body: AsyncIterable<Uint8Array> }
  | { readonly kind: "missing" };

const maxNames = 10_000;
const chunkBytes = 65_536;

/** Opens a path below `/var/log` of the node's directory. Links never leave the node's directory. */
export async function openLogFile(nodeDirectory: string, path: string): Promise<LogFile> {
  const place = await resolveBelow(nodeDirectory, `/var/log/${path}`).catch(() => undefined);
  if (place === undefined) return { kind: "missing" };
  try {
    // The flag `O_NONBLOCK` keeps the opening of a named pipe from blocking.
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isFile()) return { kind: "file", body: contentOf(file, facts.size) };
    await file.close();
    if (!facts.isDirectory()) return { kind: "missing" };
    const entries = await readdir(place, { withFileTypes: true });
    const names = entries
      .slice(0, maxNames)
      .map((each) => (each.isDirectory() ? `${each.name}/` : each.name));
    return { kind: "directory", names };
  } catch (error) {
    if (/ENOENT|ENOTDIR|ELOOP|ENXIO/.test(messageOf(error))) return { kind: "missing" };
    throw error;
  }
}

/** Yields the file's content up to the size that the file had when the request arrived, because a log may grow forever. */
async function* contentOf(file: Awaited<ReturnType<typeof open>>, size: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(
        Buffer.alloc(Math.min(chunkBytes, size - at)),
        0,
        null,
        at,
      );
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
