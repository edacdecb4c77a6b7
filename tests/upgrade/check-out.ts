import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { EarlierVersion } from "./earlier-versions.ts";

const root = join(import.meta.dirname, "..", "..");
const versions = join(root, ".tools", "versions");

/**
 * The `main.ts` of an earlier version, with the packages that it had: from the history of this repository, once, below `.tools`.
 * @throws Error where the clone has no history that goes back so far, or npm fails
 */
export async function checkOut({ name, commit }: EarlierVersion, signal: AbortSignal): Promise<string> {
  const folder = join(versions, commit);
  if (!existsSync(folder)) {
    await mkdir(versions, { recursive: true });
    // Whoever is first to finish gives it its name: a test that ends midway leaves no half of it.
    const unfinished = await mkdtemp(`${folder}-`);
    try {
      await extract(commit, unfinished, signal).catch((cause: unknown) => {
        throw new Error(`${name} is not in this clone: "git fetch --unshallow" brings its history`, {
          cause,
        });
      });
      await run(
        "npm",
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        unfinished,
        signal,
      );
      await rename(unfinished, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return join(folder, "cmd", "keelson", "src", "main.ts");
}

async function extract(commit: string, folder: string, signal: AbortSignal): Promise<void> {
  const archive = spawn("git", ["archive", commit], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    signal,
  });
  const tar = spawn("tar", ["-x", "-C", folder], { stdio: ["pipe", "ignore", "inherit"], signal });
  const ended = Promise.all([succeeded(archive, "git"), succeeded(tar, "tar")]);
  await Promise.all([pipeline(archive.stdout, tar.stdin), ended]);
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  await succeeded(spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], signal }), command);
}

async function succeeded(child: ReturnType<typeof spawn>, command: string): Promise<void> {
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}
