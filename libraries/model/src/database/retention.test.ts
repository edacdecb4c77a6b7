import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { definitions } from "./collections.ts";
import { defaultRetention, definitionsWith } from "./retention.ts";

test("the default retention is the lifetime that the collections declare", () => {
  const lifetimes = (all: typeof definitions) =>
    Object.entries(all).map(([name, definition]) => [name, Reflect.get(definition, "ttlSeconds")]);
  assert.deepEqual(lifetimes(definitionsWith(defaultRetention)), lifetimes(definitions));
  const changed = definitionsWith({ operationDays: 30, adminActionDays: 60, recordingDays: 365 });
  assert.equal(changed.operations.ttlSeconds, 30 * 86_400);
  assert.equal(changed.journal.ttlSeconds, 30 * 86_400);
  assert.equal(changed.adminActions.ttlSeconds, 60 * 86_400);
  assert.equal(changed.sshRecordings.ttlSeconds, 365 * 86_400);
  assert.deepEqual(Object.keys(changed), Object.keys(definitions));
});

test("the manual lists every collection", () => {
  const manual = readFileSync(new URL("../../../../docs/retention.md", import.meta.url), "utf8");
  for (const { name } of Object.values(definitions)) assert.ok(manual.includes(`\`${name}\``), name);
});
