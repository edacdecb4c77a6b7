import process from "node:process";
import { compileCache } from "../compile-cache.ts";
import { frugalMalloc, mappedMalloc } from "../frugal-malloc.ts";
import type { ComponentName } from "./component.ts";

/** Environment of the process of a component. Variables of the user have precedence. */
export function componentEnvironment(name: ComponentName, environment = process.env): NodeJS.ProcessEnv {
  // The API server of the clusters allocates a buffer for each read of a socket.
  const malloc = name === "clusters" ? frugalMalloc : mappedMalloc;
  return { ...malloc, NODE_COMPILE_CACHE: compileCache, ...environment };
}
