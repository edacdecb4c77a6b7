import { setTimeout as delay } from "node:timers/promises";
import type { ManualClock } from "@keelson/base/testing";
import type { TestCluster } from "./test-cluster.ts";
import type { TestOperator, TestOperatorOptions } from "./test-operator.ts";

/** Advances the clock in steps. Responses of the API server arrive between the steps. */
export async function passTime(clock: ManualClock, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs);
    await delay(2);
  }
}

/** Starts controllers and advances the clock until they are ready. */
export async function startOnMovedClock(
  cluster: TestCluster,
  clock: ManualClock,
  options: Omit<TestOperatorOptions, "clock">,
): Promise<TestOperator> {
  const starting = cluster.start({ ...options, clock });
  for (let started = false; !started; ) {
    started = await Promise.race([starting.then(() => true), delay(5).then(() => false)]);
    await clock.advance(100);
  }
  return starting;
}
