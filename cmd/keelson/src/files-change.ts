import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Logger, systemClock } from "@keelson/base";

export interface FilesChangeOptions {
  readonly logger: Logger;
  /** Between readings; 10 s when absent. */
  readonly everyMs?: number;
}

/** Resolves when one of the files has other content than now, and when the signal aborts. */
export async function untilFilesChange(
  files: readonly string[],
  { logger, everyMs = 10_000 }: FilesChangeOptions,
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  const digests = () => Promise.all(files.map(digest));
  const before = await digests();
  while (!signal.aborted) {
    await systemClock.sleep(everyMs, signal).catch(() => undefined);
    const now = await digests();
    const changed = files.find((_, index) => now[index] !== before[index]);
    if (changed === undefined) continue;
    logger.info({ file: changed }, "a file has changed: ending");
    return;
  }
}

/** Of a file that is not there: that it is not. */
async function digest(file: string): Promise<string> {
  const content = await readFile(file).catch(() => undefined);
  return content ? createHash("sha256").update(content).digest("hex") : "absent";
}
