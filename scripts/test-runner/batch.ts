/**
 * Runs test files sequentially in one process, so that common modules load only once. For each file, it defines a test and a
 * suite. The test loads the file, and the name of the test is the file's path. The suite limits the scope of the file's hooks.
 *
 *     node scripts/test-runner/batch.ts [--untracked-promises] FILE ...
 */
import asyncHooks from "node:async_hooks";
import process from "node:process";
import { fileSuite } from "./results.ts";

const [first, ...rest] = process.argv.slice(2);
const isTracking = first !== "--untracked-promises";
const files = isTracking ? process.argv.slice(2) : rest;

/** Enables or disables promise tracking, which assigns each promise to the test that created it. */
let trackPromises: (isTracked: boolean) => void = () => undefined;
const { createHook } = asyncHooks;
if (!isTracking) {
  // Promise tracking costs about 10 % CPU time. It is needed only while a file loads, to find the enclosing suite. Without
  // tracking, an unhandled rejection fails the file instead of the test.
  asyncHooks.createHook = (callbacks) => {
    const tracking = createHook(callbacks);
    const blind = createHook({ ...callbacks, trackPromises: false });
    trackPromises = (isTracked) => {
      (isTracked ? blind : tracking).disable();
      (isTracked ? tracking : blind).enable();
    };
    return blind;
  };
}
const { describe, test } = await import("node:test");
asyncHooks.createHook = createHook;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

for (const file of files) {
  test(file, { timeout: 1_800_000 }, async () => {
    await describe(fileSuite, async () => {
      trackPromises(true);
      try {
        await import(file);
      } finally {
        trackPromises(false);
      }
    });
    const reasons = unhandled.splice(0);
    if (reasons.length > 0) throw new AggregateError(reasons, "unhandled rejections");
  });
}
