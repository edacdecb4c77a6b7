import assert from "node:assert/strict";
import { test } from "node:test";
import { OperationWarnings } from "./operation-warnings.ts";

const warning = (message: string) => ({ code: "InvalidLinkedVNet", message });

test("warnings of earlier workers stay, and each warning is there once", () => {
  const warnings = new OperationWarnings();
  warnings.add(warning("b"));
  warnings.add(warning("b"));
  assert.deepEqual(warnings.after([warning("a")]), [warning("a"), warning("b")]);
  assert.deepEqual(warnings.after([warning("b")]), [warning("b")]);
});

test("warnings have a maximum number and length", () => {
  const warnings = new OperationWarnings();
  for (let index = 0; index < 50; index++) warnings.add(warning(`${index} ${"x".repeat(10_000)}`));
  const all = warnings.after();
  assert.equal(all.length, 20);
  assert.ok(JSON.stringify(all).length < 25_000);
});
