/**
 * Runs test files sequentially in one process, so that common modules load only once. For each file, it defines a test and a
 * suite. The test loads the file, and the name of the test is the file's path. The suite limits the scope of the file's hooks.
 *
 * Ends with exit code 1 if a handle that a test left open, for example a listening server, keeps the process running after the
 * last test.
 *
 *     node scripts/test-runner/batch.ts [--untracked-promises] --exit-within=MS FILE ...
 */
import asyncHooks from "node:async_hooks";
import process from "node:process";
import { parseArgs } from "node:util";
import { fileSuite } from "./results.ts";

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    "untracked-promises": { type: "boolean", default: false },
    "exit-within": { type: "string" },
  },
});
const isTracking = !values["untracked-promises"];

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
const { after, describe, test } = await import("node:test");
asyncHooks.createHook = createHook;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
// This listener runs before the listener of Node's test runner. That listener fails the test of the current asynchronous resource.
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

after(() => {
  const ms = Number(values["exit-within"]);
  const stop = () => {
    const open = process.getActiveResourcesInfo().join(", ");
    process.stderr.write(`The tests left handles open for ${ms / 1_000} s after the last test: ${open}\n`);
    process.exit(1);
  };
  setTimeout(stop, ms).unref();
});
