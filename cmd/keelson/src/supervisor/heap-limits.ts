import { totalmem } from "node:os";
import process from "node:process";
import type { ComponentName } from "./component.ts";

type Heap = ComponentName | "operators";

/**
 * Maximum heap of each process kind, as a share of the machine's or cgroup's memory. A quarter of the memory remains for other
 * processes and the system.
 */
const shares: Readonly<Record<Heap, number>> = {
  azure: 0.08,
  clusters: 0.37,
  service: 0.15,
  operators: 0.15,
};

/** Returns the memory limit of this process in bytes: the cgroup limit, or the machine's memory. */
export function usableBytes(): number {
  const constrained = process.constrainedMemory();
  // Without a cgroup limit, the value is 0 or larger than the memory of any machine.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Returns the heap limit of one process in MiB, for `--max-old-space-size`. `processes` is the number of processes of the same
 * kind, which share the memory.
 */
export function heapLimitMiB(heap: Heap, bytes: number, processes = 1): number {
  return Math.floor((bytes * shares[heap]) / processes / 1_048_576);
}

/**
 * Returns Node.js options with the heap limit of a process. A limit in the user's `NODE_OPTIONS` takes precedence. `processes` is the
 * number of processes of the same kind, which share the memory.
 */
export function heapOptions(
  heap: Heap,
  {
    processes = 1,
    nodeOptions = process.env.NODE_OPTIONS,
  }: { processes?: number; nodeOptions?: string | undefined } = {},
): readonly string[] {
  return /--max[-_]old[-_]space[-_]size/.test(nodeOptions ?? "")
    ? []
    : [`--max-old-space-size=${heapLimitMiB(heap, usableBytes(), processes)}`];
}
