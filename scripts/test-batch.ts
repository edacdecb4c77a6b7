/**
 * Test files, given by their paths, one after another in one process: what they have in common is loaded once. Each
 * is a test named by its path, which loads the file when its turn comes, and a suite, whose hooks are its own.
 */
import asyncHooks from "node:async_hooks";
import { createRequire } from "node:module";
import process from "node:process";

// The runner follows every promise to the test that made it, which is a tenth of what tests cost. Without that, a test
// belongs to its file only if it is defined while the file loads, so files are loaded synchronously; and a rejection
// that nobody handles belongs to no test, so its file fails.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
const { describe, test } = await import("node:test");
asyncHooks.createHook = createHook;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

const require = createRequire(import.meta.url);
for (const file of process.argv.slice(2)) {
  test(file, { timeout: 900_000 }, async () => {
    await describe("tests", () => require(file));
    const reasons = unhandled.splice(0);
    if (reasons.length > 0) throw new AggregateError(reasons, "rejections that nobody handled");
  });
}
