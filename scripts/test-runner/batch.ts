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

/** Enables or disables the tracking of asynchronous resources, which assigns each resource to the test that created it. */
let trackResources: (isTracked: boolean) => void = () => undefined;
/** Assigns the asynchronous resource that is being executed to the test of the current file. */
let assignToFile: () => void = () => undefined;
const { createHook, executionAsyncId } = asyncHooks;
/** Identifier of the test of the current file. */
let fileTestId = 0;
if (!isTracking) {
  // Tracking costs 10 to 15 % CPU time. It is needed only while a file loads, to find the enclosing suite. Without tracking, an
  // unhandled rejection or an uncaught exception fails the file instead of the test.
  asyncHooks.createHook = (callbacks) => {
    const tracking = createHook(callbacks);
    // The test runner finds a test by the identifier of the test's own resource.
    const testsOnly = createHook({
      init(asyncId, type, triggerAsyncId, resource) {
        if (type === "Test") callbacks.init?.(asyncId, type, triggerAsyncId, resource);
      },
      trackPromises: false,
    });
    trackResources = (isTracked) => {
      (isTracked ? testsOnly : tracking).disable();
      (isTracked ? tracking : testsOnly).enable();
    };
    assignToFile = () => callbacks.init?.(executionAsyncId(), "Timeout", fileTestId, {});
    return testsOnly;
  };
}
const { describe, test } = await import("node:test");
asyncHooks.createHook = createHook;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
// This listener runs before the listener of the test runner, which fails the test of the resource that is being executed.
process.prependListener("uncaughtException", () => assignToFile());

for (const file of files) {
  test(file, { timeout: 1_800_000 }, async () => {
    fileTestId = executionAsyncId();
    await describe(fileSuite, async () => {
      trackResources(true);
      try {
        await import(file);
      } finally {
        trackResources(false);
      }
    });
    const reasons = unhandled.splice(0);
    if (reasons.length > 0) throw new AggregateError(reasons, "unhandled rejections");
  });
}
