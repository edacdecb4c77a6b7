import process from "node:process";
import { messageOf } from "@keelson/base";

/**
 * Data that cannot be printed is a failure, in one line; a reader that has read enough needs none. Progress that nobody
 * reads any more stops nothing.
 */
export function watchStandardStreams(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.stderr.write(`keelson: standard output: ${messageOf(error)}\n`);
    process.exit(1);
  });
}
