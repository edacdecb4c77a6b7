import process from "node:process";
import { messageOf } from "@keelson/base";

/**
 * A failing standard output ends the program with one line; a closed pipe ends it silently. A failing standard error is
 * ignored.
 */
export function watchStandardStreams(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.stderr.write(`keelson: standard output: ${messageOf(error)}\n`);
    process.exit(1);
  });
}
