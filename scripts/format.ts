/** `make format`: formats the changed files and sorts their imports with biome. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { changedFiles } from "./git/changed-files.ts";
import { findChangeBase } from "./language/change-base.ts";

const project = new URL("..", import.meta.url).pathname;
const biome = join(project, "node_modules/.bin/biome");

/**
 * Formats the files of `root` that changed since the branch left `base`. Ignores files that biome does not support. Returns the
 * exit code of biome.
 */
export function formatChanged(root: string, base: string): number {
  const files = changedFiles(root, base).filter((file) => existsSync(join(root, file)));
  if (files.length === 0) return 0;
  const options = [
    "--write",
    "--linter-enabled=false",
    "--no-errors-on-unmatched",
    "--files-ignore-unknown=true",
  ];
  const { status, error } = spawnSync(biome, ["check", ...options, ...files], {
    cwd: root,
    stdio: "inherit",
  });
  if (error) throw error;
  return status ?? 1;
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ options: { base: { type: "string" } } });
    const { base, skipped } = findChangeBase(project, values.base);
    if (base === undefined) throw new Error(skipped);
    process.exitCode = formatChanged(project, base);
  } catch (error) {
    process.stderr.write(`make format failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
