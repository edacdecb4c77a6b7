import type { Clock } from "@keelson/base";

export interface IdleCollectionOptions {
  /** What the process still needs and what was not collected yet, in bytes. */
  readonly heapUsed: () => number;
  /** CPU time so far, in milliseconds. */
  readonly cpuMs: () => number;
  readonly collect: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const periodMs = 20_000;
/** Of one core, within a period: operators of two hundred clusters that only renew their leases take a third of one. */
const idleShare = 0.5;
/** More garbage than this is worth a pause. */
const garbageShare = 0.05;
/** Of the time, for collections: those of a large heap take seconds. */
const collectingShare = 0.02;

/**
 * Collects garbage once a burst of work is over. V8 collects when much is allocated: a process that does hardly anything
 * would keep for hours what its busiest minute left behind.
 */
export async function collectWhenIdle(options: IdleCollectionOptions): Promise<void> {
  const { heapUsed, cpuMs, collect, clock, signal } = options;
  let live = 0;
  let before = cpuMs();
  let notBeforeMs = 0;
  while (!signal.aborted) {
    await clock.sleep(periodMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const now = cpuMs();
    const isIdle = now - before < periodMs * idleShare;
    before = now;
    if (!isIdle || clock.monotonicMs() < notBeforeMs || heapUsed() < live * (1 + garbageShare)) continue;
    collect();
    live = heapUsed();
    // A collection is no work.
    before = cpuMs();
    notBeforeMs = clock.monotonicMs() + (before - now) / collectingShare;
  }
}
