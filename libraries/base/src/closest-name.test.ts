import assert from "node:assert/strict";
import { test } from "node:test";
import { closestName } from "./closest-name.ts";

const known = ["vmSize", "rpVmssCapacity", "databaseKind", "ssh"];

for (const [name, meant] of [
  ["vmsize", "vmSize"],
  ["rpVmsCapacity", "rpVmssCapacity"],
  ["databsKin", "databaseKind"],
  ["shs", undefined],
  ["SSH", "ssh"],
  ["ss", undefined],
  ["other", undefined],
  ["", undefined],
  ["v".repeat(1_000_000), undefined],
] as const)
  test(`'${name.slice(0, 20)}' is taken for ${meant ?? "nothing"}`, () =>
    assert.equal(closestName(name, known), meant));
