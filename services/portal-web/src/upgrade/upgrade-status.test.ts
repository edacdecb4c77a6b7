import assert from "node:assert/strict";
import { test } from "node:test";
import { parseUpgradeStatus } from "./upgrade-status.ts";

test("a status has the fields of the action", () => {
  const status = {
    ...{ version: "4.18.26", desired: "4.18.26", channel: "stable-4.18", progressing: false, message: "" },
    available: ["4.18.27"],
    history: [{ version: "4.18.26", state: "Completed", startedAt: "a", completedAt: "b" }],
    checked: "4.18.27",
    checks: [{ name: "Version", passed: true, message: "" }],
  };
  assert.deepEqual(parseUpgradeStatus(JSON.stringify(status)), status);
});

for (const content of ["null", "[]", "1", '{"history":{},"checks":[null],"available":[{}],"version":{}}'])
  test(`fields of other types are empty in ${content}`, () => {
    const { version, history, progressing, checks } = parseUpgradeStatus(content);
    assert.deepEqual([version, history, progressing], ["", [], false]);
    assert.ok(checks.every(({ passed }) => !passed));
  });

test("text that is not JSON is an error", () => assert.throws(() => parseUpgradeStatus("<html>")));
