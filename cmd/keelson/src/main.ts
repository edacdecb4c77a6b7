import { enableCompileCache } from "node:module";
import process from "node:process";
import { compileCache } from "./compile-cache.ts";

// Compiling takes half of a start.
enableCompileCache(compileCache);
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
