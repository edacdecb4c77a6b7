import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Clock, processCpuMs, systemClock } from "@keelson/base";
import { limitedNewSpace, smallNewSpaceBytes } from "./new-space-limit.ts";

export interface IdleCollectionOptions {
  /** Returns the committed heap size in bytes. Excludes the space for new objects, because its size fluctuates. */
  readonly heapSize: () => number;
  /** CPU time of the process so far, in milliseconds. */
  readonly cpuMs: () => number;
  readonly collect: () => void;
  /**
   * Heap size, in bytes, up to which this process starts collections. With a larger heap, a collection would block the process
   * for seconds, so only V8 starts collections. Default: no limit.
   */
  readonly maxHeapBytes?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Value of `maxHeapBytes` for processes that respond to clients. A collection of a heap of this size takes about a second. */
export const responsiveHeapBytes = 256 * 1024 * 1024;

const periodMs = 20_000;
/**
 * CPU use, as a share of one core, below which the process counts as idle. The operators of 200 idle clusters use a third of a
 * core for lease renewals.
 */
const idleShare = 0.5;
/**
 * Minimum heap growth that justifies a further collection, as a share of the heap size after the previous collection. The growth
 * must also exceed `growthBytes`.
 */
const growthShare = 0.1;
const growthBytes = 4 * 1024 * 1024;
/** Maximum share of the run time that collections may take, because a collection of a large heap takes seconds. */
const collectingShare = 0.002;

export interface IdleCollectionLimits extends Pick<IdleCollectionOptions, "maxHeapBytes"> {
  /** Limit of V8's space for new objects in bytes. Default: 16 MiB. */
  readonly newSpaceBytes?: number;
}

/** Starts to collect garbage whenever this process is idle, and limits its space for new objects. Stops on disposal. */
export function idleCollection({
  newSpaceBytes = smallNewSpaceBytes,
  ...limits
}: IdleCollectionLimits = {}): Disposable {
  const over = new AbortController();
  const newSpace = limitedNewSpace(newSpaceBytes);
  void collectWhenIdle({
    ...limits,
    heapSize,
    cpuMs: processCpuMs,
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
 * Returns a function that collects garbage as V8 does when memory is low. This kind of collection immediately returns free pages
 * to the operating system. The first calls also compact the heap. Several calls are needed, because one call moves only about a
 * seventh of the objects and leaves the rest on sparsely used pages.
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
 * Collects garbage after a burst of work, once the process is idle. Without this function, the garbage of the last burst could
 * remain for hours, because V8 collects only during allocations.
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
    // Excludes the CPU time of the collection itself.
    before = cpuMs();
    notBeforeMs = clock.monotonicMs() + (before - now) / collectingShare;
  }
}
