import process from "node:process";
import { frugalMalloc } from "@keelson/base";
import { compileCache } from "../process/compile-cache.ts";

/** Returns the environment of component processes: default variables, which the variables in `environment` override. */
export function componentEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...frugalMalloc, NODE_COMPILE_CACHE: compileCache, ...environment };
}
