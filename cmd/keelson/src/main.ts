import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Half of a start is compiling; in the program's own folder, because a shared one could be poisoned.
enableCompileCache(fileURLToPath(new URL("../../../.tools/compile-cache", import.meta.url)));
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
