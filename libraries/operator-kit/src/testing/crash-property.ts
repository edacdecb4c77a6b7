import assert from "node:assert/strict";
import { mkdtemp, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { CrashingRollout, crashNodes } from "./crashing-rollout.ts";

/** Simulated incidents within about one minute. */
interface Round {
  /** Number of writes before the operator crashes. Undefined if it does not crash. */
  readonly operator: number | undefined;
  /** Number of disk accesses before each node's installer crashes. */
  readonly installers: readonly (number | undefined)[];
  /** Names of nodes with an inactive kubelet. */
  readonly idle: readonly string[];
  readonly rebooted: readonly string[];
  readonly seconds: number;
  readonly changes: boolean;
  readonly prunes: boolean;
}

const crash = (max: number) => fc.option(fc.nat(max), { nil: undefined, freq: 2 });
const someNodes = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly string[]>([]) },
  fc.subarray([...crashNodes]),
);
const anyRound: fc.Arbitrary<Round> = fc.record({
  operator: crash(8),
  installers: fc.tuple(crash(9), crash(9), crash(9)),
  idle: someNodes,
  rebooted: someNodes,
  seconds: fc.integer({ min: 1, max: 60 }),
  changes: fc.integer({ min: 0, max: 4 }).map((each) => each === 0),
  prunes: fc.boolean(),
});

/**
 * Runs `numRuns` random sequences of crashes and checks the invariants. A revision never changes, and its number is unique. A
 * node never has an incomplete revision. Finally, all nodes reach the latest revision.
 */
export async function survivesCrashes(numRuns: number): Promise<void> {
  await using directory = await mkdtempDisposable(join(tmpdir(), "rollout-"));
  await fc.assert(
    fc.asyncProperty(fc.array(anyRound, { minLength: 10, maxLength: 30 }), async (rounds) => {
      const root = await mkdtemp(join(directory.path, "run-"));
      const rollout = await CrashingRollout.create(root);
      let speed = 0;
      for (const { operator, installers, idle, rebooted, seconds, changes, prunes } of rounds) {
        if (changes) await rollout.change(++speed);
        await rollout.reconcile(operator);
        await rollout.reconcile();
        for (const [index, node] of crashNodes.entries()) {
          await rollout.runInstallers(node, installers[index]);
          if (!idle.includes(node)) await rollout.kubelet(node);
          if (rebooted.includes(node)) await rollout.reboot(node);
        }
        if (prunes) await rollout.prune();
        rollout.pass(seconds);
        await rollout.check();
      }
      for (let round = 0; round < 60 && !rollout.isConverged; round++) {
        await rollout.reconcile();
        for (const each of crashNodes) {
          await rollout.runInstallers(each);
          await rollout.kubelet(each);
        }
        rollout.pass(60);
      }
      assert.ok(rollout.isConverged, JSON.stringify(rollout.nodes));
    }),
    { numRuns },
  );
}
