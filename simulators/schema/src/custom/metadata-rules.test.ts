import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Readings } from "@keelson/apimachinery/testing";
import { Findings } from "@keelson/kinds";
import { validateMetadata } from "./metadata-rules.ts";

const many = 30_000;
const record = (value: string) =>
  Object.fromEntries(Array.from({ length: many }, (_, at) => [`k${at}`, value] as const));

describe("validation of metadata stops at the error limit", () => {
  for (const [member, value] of [
    ["ownerReferences", Array.from({ length: many }, () => ({}))],
    ["finalizers", Array.from({ length: many }, () => "-")],
    ["labels", record("-")],
  ] as const) {
    test(member, () => {
      const readings = new Readings();
      const metadata = { name: "a", [member]: readings.of(value) };
      assert.equal(validateMetadata(metadata).length, 101);
      assert.ok(readings.count < 500, `${readings.count} readings`);
    });
  }
});

test("causes by type are only created up to the limit", () => {
  const findings = new Findings();
  const readings = new Readings();
  for (let at = 0; at < many; at++) findings.invalid(readings.of([at]), "is wrong");
  assert.equal(findings.causes.length, 101);
  assert.ok(readings.count < 1_000, `${readings.count} readings`);
});
