import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangeOwner, GroupCommit } from "./group-commit.ts";
import { type Journal, memoryJournal } from "./journal.ts";

for (const [kind, append] of [
  ["synchronous", () => undefined],
  ["asynchronous", () => Promise.resolve()],
] as const satisfies readonly (readonly [string, Journal["append"]])[]) {
  test(`an owner that fails affects neither ${kind} commits nor other owners`, async () => {
    const reported: unknown[] = [];
    const commits = new GroupCommit(
      { ...memoryJournal(), append },
      (error) => error,
      (error) => reported.push(error),
    );
    const told: string[] = [];
    const failure = new Error("owner failed");
    const failing: ChangeOwner = {
      committed: () => {
        throw failure;
      },
      undone: () => told.push("failing undone"),
    };
    const healthy: ChangeOwner = {
      committed: (revision) => told.push(`committed ${revision}`),
      undone: () => told.push("healthy undone"),
    };
    const enqueue = (owner: ChangeOwner, log: number, revision: number) =>
      commits.enqueue({ record: { log, revision, bucket: "b", key: "k", value: undefined }, owner });
    await Promise.all([enqueue(failing, 1, 1), enqueue(healthy, 2, 1)]);
    await enqueue(healthy, 2, 2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told, ["committed 1", "committed 2"]);
    assert.deepEqual(reported, [failure]);
  });
}
