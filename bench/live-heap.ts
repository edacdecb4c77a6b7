import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

/** What this process still needs, in megabytes. What is resident beside it is garbage that nobody had to collect yet. */
export function liveHeapMb(): number {
  if (typeof collectGarbage === "function") collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}
