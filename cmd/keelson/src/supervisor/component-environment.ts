import process from "node:process";
import { frugalMalloc } from "@keelson/base";
import { compileCache } from "../process/compile-cache.ts";

/** Returns the environment of component processes. Variables of the user take precedence. */
export function componentEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...frugalMalloc, NODE_COMPILE_CACHE: compileCache, ...environment };
}
