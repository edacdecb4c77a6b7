/** Given to a process with `--import`: SIGUSR2 makes it collect garbage and write what it still needs to standard error. */
import process from "node:process";
import { liveHeapMb } from "./live-heap.ts";

process.on("SIGUSR2", () => process.stderr.write(`live heap ${liveHeapMb().toFixed(1)} MB\n`));
