import assert from "node:assert/strict";
import { type CrashCase, caseName } from "../crashes/crash-case.ts";
import { CrashedInstance } from "../crashes/crashed-instance.ts";
import { lostOrFailed } from "../crashes/evaluate.ts";
import { runCase } from "../crashes/run-case.ts";

export interface ComponentCrashOptions {
  /** At most four for each component: the fifth exit within ten minutes is its last. */
  readonly cases: readonly CrashCase[];
  readonly operators: "shared" | "none";
  readonly suspendMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Kills or suspends processes of one `keelson up` under writers, also during installations.
 * @throws AssertionError for a lost write, a failed operation and a repeated step
 */
export async function surviveComponentCrashes(options: ComponentCrashOptions): Promise<void> {
  const { cases, operators, suspendMs, report, signal } = options;
  await using instance = new CrashedInstance({ nodeOptions: ["--liftoff-only"], operators, subnetsFor: [] });
  await instance.up();
  const copies: string[] = [];
  for (const each of cases) {
    const { result, databaseCopy } = await runCase(instance, each, { suspendMs, quietMs: 1_000, signal });
    assert.deepEqual(lostOrFailed({ case: each, load: 0, result }), []);
    if (databaseCopy !== undefined) copies.push(databaseCopy);
    report(`${caseName(each)}: served again`);
  }
  await instance.stop();
  assert.deepEqual((await instance.repeatedSteps(copies)).flat(), []);
}
