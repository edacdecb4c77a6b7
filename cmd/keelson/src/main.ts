import { enableCompileCache, flushCompileCache } from "node:module";
import process from "node:process";
import { compileCache } from "./process/compile-cache.ts";

// Files of the state directory contain keys and tokens, so they are private regardless of the directory's mode.
process.umask(0o077);
// Compilation accounts for half of the start time.
enableCompileCache(compileCache);
// Node.js writes the cache when a program exits. A killed program would write none.
setTimeout(flushCompileCache, 20_000).unref();
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
