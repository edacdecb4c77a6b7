import process from "node:process";
import { fileURLToPath } from "node:url";

/** True in an installed npm package. The cache is then in `node_modules/.cache`. */
const isInstalled = import.meta.url.includes("/node_modules/");

/**
 * Directory of the compile cache. It is private: other users could write to a shared directory. If `NODE_COMPILE_CACHE` contains
 * it, a process starts without Node's TypeScript compiler and saves 14 MB.
 */
export const compileCache =
  process.env.NODE_COMPILE_CACHE ||
  fileURLToPath(
    new URL(isInstalled ? "../../../.cache/keelson" : "../../../../.tools/compile-cache", import.meta.url),
  );
