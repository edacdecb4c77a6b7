import process from "node:process";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Clock, systemClock } from "@keelson/base";
import { limitedNewSpace, smallNewSpaceBytes } from "./new-space-limit.ts";

export interface IdleCollectionOptions {
  /** The size of the heap, whatever is free in it, but for the space of new objects: it comes and goes. In bytes. */
  readonly heapSize: () => number;
  /** CPU time so far, in milliseconds. */
  readonly cpuMs: () => number;
  readonly collect: () => void;
  /** Larger heaps are left to V8: their collections take seconds, in which the process does not respond. Default: no limit. */
  readonly maxHeapBytes?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Limit for processes that respond to clients. A collection of such a heap takes about a second. */
export const responsiveHeapBytes = 256 * 1024 * 1024;

const periodMs = 20_000;
/** Share of one core within a period. Operators of 200 clusters that only renew their leases use a third of a core. */
const idleShare = 0.5;
/** Growth that is worth the pause of a collection: more than both. */
const growthShare = 0.1;
const growthBytes = 4 * 1024 * 1024;
/** Maximum share of the time for collections. Those of a large heap take seconds. */
const collectingShare = 0.002;

export interface IdleCollectionLimits extends Pick<IdleCollectionOptions, "maxHeapBytes"> {
  /** Limit of V8's space for new objects in bytes. Default: 16 MiB. */
  readonly newSpaceBytes?: number;
}

/** Collects garbage of this process while it is idle, and limits the space for new objects, until disposal. */
export function idleCollection({
  newSpaceBytes = smallNewSpaceBytes,
  ...limits
}: IdleCollectionLimits = {}): Disposable {
  const over = new AbortController();
  const newSpace = limitedNewSpace(newSpaceBytes);
  void collectWhenIdle({
    ...limits,
    heapSize,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    collect: compactHeap(),
    clock: systemClock,
    signal: over.signal,
  });
  return {
    [Symbol.dispose]: () => {
      over.abort();
      newSpace[Symbol.dispose]();
    },
  };
}

/** Heap size of this process as defined in `IdleCollectionOptions`, in bytes. */
export function heapSize(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith("new_"))
    .reduce((sum, { space_size }) => sum + space_size, 0);
}

/**
 * Collects garbage as V8 does when memory runs out, so that it returns pages to the system immediately. The first rounds also
 * compact the heap. A single round moves about a seventh of the objects and leaves the rest on sparsely used pages.
 */
export function compactHeap(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: (options: object) => void = runInNewContext("gc");
  return () => {
    setFlagsFromString("--compact-on-every-full-gc");
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    setFlagsFromString("--no-compact-on-every-full-gc");
  };
}

/**
 * Collects garbage once a burst of work is over. V8 collects when much is allocated: a process that does hardly anything
 * would keep for hours what its busiest minute left behind.
 */
export async function collectWhenIdle(options: IdleCollectionOptions): Promise<void> {
  const { heapSize, cpuMs, collect, maxHeapBytes = Number.POSITIVE_INFINITY, clock, signal } = options;
  let least = 0;
  let before = cpuMs();
  let notBeforeMs = 0;
  while (!signal.aborted) {
    await clock.sleep(periodMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const now = cpuMs();
    const isIdle = now - before < periodMs * idleShare;
    before = now;
    const size = heapSize();
    const growth = size - least;
    if (
      !isIdle ||
      size > maxHeapBytes ||
      clock.monotonicMs() < notBeforeMs ||
      growth < Math.max(least * growthShare, growthBytes)
    )
      continue;
    collect();
    least = heapSize();
    // A collection is no work.
    before = cpuMs();
    notBeforeMs = clock.monotonicMs() + (before - now) / collectingShare;
  }
}
