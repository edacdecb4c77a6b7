import { enableCompileCache, flushCompileCache } from "node:module";
import process from "node:process";
import { compileCache } from "./process/compile-cache.ts";

// Files in the state directory contain keys and tokens. The umask makes new files private even if the directory is not.
process.umask(0o077);
// The cache avoids the compilation of the modules, which takes half of the start time.
enableCompileCache(compileCache);
// Node.js writes the compile cache at exit. This timer writes the cache earlier, so that a killed process also leaves a cache.
setTimeout(flushCompileCache, 20_000).unref();
const { runProgram } = await import("./program.ts");
process.exitCode = await runProgram(process.argv);
