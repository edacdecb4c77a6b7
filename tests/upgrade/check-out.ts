import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EarlierVersion } from "./earlier-versions.ts";

const root = join(import.meta.dirname, "..", "..");
const versions = join(root, ".tools", "versions");

/**
 * Checks out an earlier version with its packages below `.tools` and returns the path of its `main.ts`. Existing checkouts are
 * reused.
 * @throws Error if the git history is incomplete or npm fails
 */
export async function checkOut({ name, commit }: EarlierVersion, signal: AbortSignal): Promise<string> {
  const directory = join(versions, commit);
  if (!existsSync(directory)) {
    await mkdir(versions, { recursive: true });
    // Only a complete checkout receives the final name. An interrupted test therefore leaves no incomplete checkout.
    const unfinished = await mkdtemp(`${directory}-`);
    try {
      await run("git", ["cat-file", "-e", `${commit}^{commit}`], root, signal).catch((cause: unknown) => {
        throw new Error(`${name} is not in this clone: "git fetch --unshallow" brings its history`, {
          cause,
        });
      });
      const archive = `${unfinished}.tar`;
      await run("git", ["archive", `--output=${archive}`, commit], root, signal);
      await run("tar", ["-x", "-f", archive, "-C", unfinished], root, signal);
      await run(
        "npm",
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        unfinished,
        signal,
      );
      await rename(unfinished, directory).catch((error: unknown) => {
        if (!existsSync(directory)) throw error;
      });
    } finally {
      for (const each of [unfinished, `${unfinished}.tar`]) await rm(each, { recursive: true, force: true });
    }
  }
  return join(directory, "cmd", "keelson", "src", "main.ts");
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], signal });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}
