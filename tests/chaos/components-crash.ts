import assert from "node:assert/strict";
import { type CrashCase, caseName } from "../crashes/crash-case.ts";
import { CrashedInstance } from "../crashes/crashed-instance.ts";
import { lostOrFailed } from "../crashes/evaluate.ts";
import { runCase } from "../crashes/run-case.ts";
import { CompleteReads, type ReadLoad } from "./complete-reads.ts";

export interface ComponentCrashOptions {
  /** Crash cases, at most four per component. After the fifth exit within ten minutes, a component is not restarted. */
  readonly cases: readonly CrashCase[];
  readonly operators: "shared" | "none";
  readonly suspendMs: number;
  /** Readers that run continuously, and the minimum number of reads that they must complete. */
  readonly reads: ReadLoad & { readonly count: number };
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Kills or suspends processes of one `keelson up`, also during installations. Writers run at the same time.
 * @throws AssertionError for a lost write, a failed operation, a repeated step or an incomplete cluster in a response
 */
export async function surviveComponentCrashes(options: ComponentCrashOptions): Promise<void> {
  const { cases, operators, suspendMs, reads, report, signal } = options;
  await using instance = new CrashedInstance({ nodeOptions: ["--liftoff-only"], operators, subnetsFor: [] });
  await instance.up();
  await using reading = await CompleteReads.start(instance, reads);
  const copies: string[] = [];
  for (const each of cases) {
    const { result, databaseCopy } = await runCase(instance, each, { suspendMs, quietMs: 1_000, signal });
    assert.deepEqual(lostOrFailed({ case: each, load: 0, result }), []);
    if (databaseCopy !== undefined) copies.push(databaseCopy);
    report(`${caseName(each)}: served again, ${reading.count} reads`);
  }
  await reading.reached(reads.count, signal, report);
  assert.deepEqual(reading.incomplete, []);
  report(`${reading.count} complete reads`);
  await reading[Symbol.asyncDispose]();
  await instance.stop();
  assert.deepEqual((await instance.repeatedSteps(copies)).flat(), []);
}
