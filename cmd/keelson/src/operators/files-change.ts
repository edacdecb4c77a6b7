import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Logger, systemClock } from "@keelson/base";

export interface FilesChangeOptions {
  readonly logger: Logger;
  /** Default: `readFile`. */
  readonly read?: (path: string) => Promise<Buffer>;
  /** Polling interval. Default: 10,000 ms. */
  readonly everyMs?: number;
}

/** Resolves when one of the files has changed or the signal aborts. */
export type UntilChange = (signal: AbortSignal) => Promise<void>;

/** Reads the files. Returns a function that waits until a file differs from this first read. */
export async function watchFiles(
  files: readonly string[],
  { logger, read = readFile, everyMs = 10_000 }: FilesChangeOptions,
): Promise<UntilChange> {
  const digests = () => Promise.all(files.map((file) => digest(read(file))));
  const before = await digests();
  return async (signal) => {
    if (files.length === 0)
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    while (!signal.aborted) {
      await systemClock.sleep(everyMs, signal).catch(() => undefined);
      const now = await digests();
      const changed = files.find((_, index) => now[index] !== before[index]);
      if (changed === undefined) continue;
      logger.info({ file: changed }, "a file has changed: ending");
      return;
    }
  };
}

/** Returns the fingerprint of a file. A missing file has a fingerprint too. */
async function digest(reading: Promise<Buffer>): Promise<string> {
  const content = await reading.catch(() => undefined);
  return content ? createHash("sha256").update(content).digest("hex") : "absent";
}
