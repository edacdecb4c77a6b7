import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Customer } from "./customer.ts";
import type { Instance } from "./instance.ts";
import { measureProcesses, storedBytes } from "./measure.ts";
import type { MeasureRow } from "./soak-row.ts";

export interface RoundsOptions {
  readonly state: string;
  readonly firstRound: number;
  /**
   * Duration of the first phase in real time, in milliseconds. In each round of the second phase, the simulated Azure's clock is
   * first advanced by one hour. The second phase ends after `movedHours` such rounds.
   */
  readonly trueMs: number;
  readonly movedHours: number;
  /** Maximum total duration of both phases in milliseconds. */
  readonly sessionMs: number;
  readonly periodMs: number;
  /**
   * Milliseconds between a round and its measurement. The wait is necessary because the simulation removes a cluster some time
   * after its deletion.
   */
  readonly settleMs: number;
  readonly pauseMs: number;
  /** Directory for heap snapshots, which are written after the warm-up and at the end. */
  readonly snapshots?: { readonly directory: string; readonly warmUpMs: number } | undefined;
  readonly append: (row: MeasureRow) => void;
  /** Stops the run after the current round and a measurement. */
  readonly stop: AbortSignal;
}

/** Work since the previous row was written. */
interface Work {
  readonly startedMs: number;
  rounds: number;
  movedHours: number;
  readonly failures: string[];
}

const newWork = (): Work => ({ startedMs: performance.now(), rounds: 0, movedHours: 0, failures: [] });

/** Runs rounds and measures after each round. Returns when the time is over, the signal aborts or the instance exits. */
export async function runRounds(instance: Instance, options: RoundsOptions): Promise<void> {
  const { state, firstRound, trueMs, movedHours, sessionMs, periodMs, snapshots, stop } = options;
  // Requests of a round are never aborted, because a stop waits until the round has completed.
  const never = new AbortController().signal;
  await using customer = await Customer.connect(state);
  await customer.deleteLeftovers(never);
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let work = newWork();
  const measure = async (snapshot?: string) => {
    await pause(options.settleMs, stop);
    const seconds = (performance.now() - work.startedMs) / 1_000;
    const processes = await measureAll(instance, snapshots?.directory, snapshot).catch((error: unknown) => {
      work.failures.push(`measurement: ${describe(error)}`);
      return [];
    });
    const { startedMs: _, ...done } = work;
    work = newWork();
    options.append({ kind: "measure", ...done, seconds, processes, bytes: storedBytes(state) });
  };
  let round = firstRound;
  let moved = 0;
  let isWarm = false;
  while (!stop.aborted && instance.failure === undefined && elapsedMs() < sessionMs) {
    if (elapsedMs() >= trueMs) {
      if (moved >= movedHours) break;
      // Measures before the clock is moved for the first time. A row must cover either rounds in real time or rounds with a moved
      // clock, but not both.
      if (work.rounds > work.movedHours) await measure();
      await customer.advanceClock(1);
      work.movedHours++;
      moved++;
    }
    await customer.round(round, never).catch((error: unknown) => {
      work.failures.push(`round ${round}: ${describe(error)}`);
    });
    work.rounds++;
    round++;
    if (performance.now() - work.startedMs >= periodMs) {
      const wasWarm = isWarm;
      isWarm = snapshots !== undefined && elapsedMs() >= snapshots.warmUpMs;
      await measure(isWarm && !wasWarm ? `warm-${round}` : undefined);
    }
    await pause(options.pauseMs, stop);
  }
  if (instance.failure !== undefined) work.failures.push(instance.failure);
  await measure(`end-${round}`);
}

async function measureAll(instance: Instance, directory: string | undefined, snapshot: string | undefined) {
  if (directory === undefined || snapshot === undefined)
    return measureProcesses(instance.pid, instance.inspectPort);
  mkdirSync(directory, { recursive: true });
  return measureProcesses(instance.pid, instance.inspectPort, (inspected, role) => {
    const name = `${role.replace(/\W+/g, "-")}-${snapshot}.heapsnapshot`;
    return inspected.writeHeapSnapshot(join(directory, name));
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

function describe(error: unknown): string {
  const { message, cause }: { message?: unknown; cause?: unknown } = Object(error);
  const reason = cause === undefined ? "" : ` (${describe(cause)})`;
  return `${String(message ?? error).slice(0, 1_000)}${reason}`;
}
