import process from "node:process";
import { messageOf } from "@keelson/base";

/**
 * If standard output fails, the program exits with one error line. If the pipe is closed, the program exits silently. Errors of
 * standard error are ignored.
 */
export function watchStandardStreams(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.stderr.write(`keelson: standard output: ${messageOf(error)}\n`);
    process.exit(1);
  });
}
