import process from "node:process";
import { isCoded } from "@keelson/base";
import { CommanderError } from "commander";
import { program } from "./program.ts";

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
try {
  await program().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (isCoded(error)) {
    process.stderr.write(`keelson: ${error.message}\n`);
    process.exitCode = 1;
  } else if (error === "draining") {
    process.exitCode = 130;
  } else {
    process.stderr.write(`keelson: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}
