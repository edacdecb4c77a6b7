import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { type Clock, systemClock } from "@keelson/base";

/**
 * Default limit of V8's space for new objects, in bytes. In a process that serves few requests, V8 collects a space of this size
 * within milliseconds.
 */
export const smallNewSpaceBytes = 16 * 1024 * 1024;

/**
 * Limit of V8's space for new objects, in bytes, in components that serve many requests. With a smaller space, V8 would collect
 * garbage more often.
 */
export const busyNewSpaceBytes = 64 * 1024 * 1024;

export interface NewSpaceLimitOptions {
  /** Returns the size of V8's space for new objects in bytes. */
  readonly newSpaceSize: () => number;
  /** Sets the factor by which V8 enlarges the space for new objects. A factor of 1 prevents any growth. */
  readonly setGrowthFactor: (factor: number) => void;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const periodMs = 2_000;
/** V8's default growth factor of the space for new objects. V8 applies the factor while many objects survive collections. */
const growing = 2;
const constant = 1;

/** Limits V8's space for new objects in this process, until disposal. */
export function limitedNewSpace(maxBytes: number): Disposable {
  const over = new AbortController();
  void limitNewSpace({
    newSpaceSize,
    setGrowthFactor: (factor) => setFlagsFromString(`--semi-space-growth-factor=${factor}`),
    maxBytes,
    clock: systemClock,
    signal: over.signal,
  });
  return { [Symbol.dispose]: () => over.abort() };
}

/** Size of V8's space for new objects in this process, in bytes. */
export function newSpaceSize(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}

/**
 * Prevents V8 from enlarging its space for new objects beyond `maxBytes`. Without a limit, V8 enlarges the space to 128 MiB
 * within minutes of light load and shrinks it only when the process is idle. The option `--max-semi-space-size` is not used,
 * because it takes effect only at the start of a process.
 */
export async function limitNewSpace(options: NewSpaceLimitOptions): Promise<void> {
  const { newSpaceSize, setGrowthFactor, maxBytes, clock, signal } = options;
  let factor = growing;
  while (!signal.aborted) {
    const wanted = newSpaceSize() * growing > maxBytes ? constant : growing;
    if (wanted !== factor) setGrowthFactor(wanted);
    factor = wanted;
    await clock.sleep(periodMs, signal).catch(() => undefined);
  }
}
