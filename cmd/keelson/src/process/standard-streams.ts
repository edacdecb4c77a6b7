import process from "node:process";
import { messageOf } from "@keelson/base";

/**
 * Makes the program exit when standard output fails. It exits silently if the pipe is closed, and with one error line after any
 * other error. Errors of standard error are ignored.
 */
export function watchStandardStreams(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.stderr.write(`keelson: standard output: ${messageOf(error)}\n`);
    process.exit(1);
  });
}
