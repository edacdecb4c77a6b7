import { enableCompileCache, flushCompileCache } from "node:module";
import process from "node:process";
import { compileCache } from "./process/compile-cache.ts";

// Files of the state directory hold keys and tokens, whatever the mode of the directory.
process.umask(0o077);
// Compiling takes half of a start.
enableCompileCache(compileCache);
// Node.js writes it when a program ends; one that is killed would leave the next nothing.
setTimeout(flushCompileCache, 20_000).unref();
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
