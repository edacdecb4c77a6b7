import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { messageOf } from "@keelson/base";
import { shellWord } from "../output/shell-word.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

/** Checks the free space of the disks that contain the installation's files. */
export async function checkDisk({
  stateDirectory,
  config,
  lowDiskBytes,
}: Installation): Promise<readonly Finding[]> {
  const directories = new Set([
    stateDirectory,
    ...(config.database.kind === "embedded" ? [config.database.directory] : []),
  ]);
  const findings: Finding[] = [];
  for (const directory of directories)
    if (existsSync(directory)) findings.push(await checkDirectory(directory, lowDiskBytes));
  return findings;
}

async function checkDirectory(directory: string, lowBytes: number): Promise<Finding> {
  const check = `disk of ${directory}`;
  try {
    const { bavail, bsize, files, ffree } = await statfs(directory);
    const free = bavail * bsize;
    const summary = `${(free / 1e9).toFixed(1)} GB free`;
    const remedy = "make room on that disk, or move the folder to a larger one";
    const command = `du -xh --max-depth 2 ${shellWord(directory)}`;
    if (files > 0 && ffree === 0) return failed(check, "no file can be added", remedy, command);
    if (free < lowBytes / 10) return failed(check, summary, remedy, command);
    return free < lowBytes ? warning(check, summary, remedy, command) : ok(check, summary);
  } catch (error) {
    return failed(
      check,
      messageOf(error),
      "see that the folder can be read",
      `ls -ld ${shellWord(directory)}`,
    );
  }
}
