import process from "node:process";
import { compileCache } from "../process/compile-cache.ts";
import { frugalMalloc } from "../process/frugal-malloc.ts";

/** Environment of the processes of components. Variables of the user have precedence. */
export function componentEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...frugalMalloc, NODE_COMPILE_CACHE: compileCache, ...environment };
}
