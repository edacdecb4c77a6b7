import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * The folder of compiled modules, in the program's own: others could write to a shared one. A process that has it in its
 * environment, as `NODE_COMPILE_CACHE`, starts without Node's compiler of TypeScript, which takes 14 MB.
 */
export const compileCache =
  process.env.NODE_COMPILE_CACHE ||
  fileURLToPath(new URL("../../../../.tools/compile-cache", import.meta.url));
