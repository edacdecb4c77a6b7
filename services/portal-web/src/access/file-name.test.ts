import assert from "node:assert/strict";
import { test } from "node:test";
import { fileNameOf } from "./file-name.ts";

for (const [header, name] of [
  ['attachment; filename="demo-elevated.kubeconfig"', "demo-elevated.kubeconfig"],
  ["attachment; filename=demo.kubeconfig", "demo.kubeconfig"],
  ["attachment", "x"],
  [null, "x"],
  ['attachment; filename="../../etc/passwd"', "x"],
] as const)
  test(`${header} brings ${name}`, () => assert.equal(fileNameOf(header, "x"), name));
