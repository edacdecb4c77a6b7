import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Compiling takes half of a start. The cache is in the program's own folder: others could write to a shared one.
enableCompileCache(fileURLToPath(new URL("../../../.tools/compile-cache", import.meta.url)));
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
