/**
 * Test files, given by their paths, one after another in one process: what they have in common is loaded once. Each
 * is a test named by its path, which loads the file when its turn comes, and a suite, whose hooks are its own.
 */
import asyncHooks from "node:async_hooks";
import process from "node:process";

// The runner follows every promise to the test that made it, which is a tenth of what tests cost. It needs that only
// while a file loads, to know whose the tests are; a rejection that nobody handles then belongs to no test, so its
// file fails.
const { createHook } = asyncHooks;
let followPromises: (isFollowed: boolean) => void = () => undefined;
asyncHooks.createHook = (callbacks) => {
  const following = createHook(callbacks);
  const blind = createHook({ ...callbacks, trackPromises: false });
  followPromises = (isFollowed) => {
    (isFollowed ? blind : following).disable();
    (isFollowed ? following : blind).enable();
  };
  return blind;
};
const { describe, test } = await import("node:test");
asyncHooks.createHook = createHook;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

for (const file of process.argv.slice(2)) {
  test(file, { timeout: 900_000 }, async () => {
    await describe("tests", async () => {
      followPromises(true);
      try {
        await import(file);
      } finally {
        followPromises(false);
      }
    });
    const reasons = unhandled.splice(0);
    if (reasons.length > 0) throw new AggregateError(reasons, "rejections that nobody handled");
  });
}
