import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, until } from "./eventually.ts";

test("eventually repeats a failing check and returns its result", async () => {
  let calls = 0;
  const check = () => {
    calls += 1;
    assert.ok(calls >= 3);
    return calls;
  };
  assert.equal(await eventually(check), 3);
});

test("until waits for the condition and throws its errors", async () => {
  let calls = 0;
  await until(() => ++calls === 3);
  assert.equal(calls, 3);
  await assert.rejects(
    until(() => Promise.reject(new Error("unreachable"))),
    /unreachable/,
  );
});
