import { totalmem } from "node:os";
import process from "node:process";
import type { ComponentName } from "./component.ts";

type Heap = ComponentName | "operators";

/** Shares of the memory of the machine, or of the cgroup. A quarter remains for the rest of the processes and for the system. */
const shares: Readonly<Record<Heap, number>> = {
  azure: 0.08,
  clusters: 0.37,
  service: 0.15,
  operators: 0.15,
};

/** Bytes that this process may use: the limit of its cgroup, or the memory of the machine. */
export function usableBytes(): number {
  const constrained = process.constrainedMemory();
  // Without a limit it is 0, or a number beyond the memory of any machine.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Heap limit of a process in MiB, for `--max-old-space-size`. */
export function heapLimitMiB(heap: Heap, bytes: number): number {
  return Math.floor((bytes * shares[heap]) / 1_048_576);
}

/** Options of Node.js with the heap limit of a process. An explicit limit of the user in `NODE_OPTIONS` is kept. */
export function heapOptions(heap: Heap, nodeOptions = process.env.NODE_OPTIONS): readonly string[] {
  return /--max[-_]old[-_]space[-_]size/.test(nodeOptions ?? "")
    ? []
    : [`--max-old-space-size=${heapLimitMiB(heap, usableBytes())}`];
}
