import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { coresNeeded } from "./resize-quota.ts";

const [d8, d16, e8] = ["Standard_D8s_v3", "Standard_D16s_v3", "Standard_E8s_v3"];

for (const { name, current, wanted, needed } of [
  { name: "nothing for what is there", current: [d8, d8, d8], wanted: d8, needed: {} },
  {
    name: "the difference within a family",
    current: [d8, d8, d16],
    wanted: d16,
    needed: { standarddsv3family: 16, cores: 16 },
  },
  {
    name: "all cores of a different family, but no regional cores",
    current: [d8, d8, e8],
    wanted: e8,
    needed: { standardesv3family: 16 },
  },
  { name: "nothing for smaller ones", current: [d16, d16, d16], wanted: d8, needed: {} },
  {
    name: "nothing for the same size in a different case",
    current: [d16.toUpperCase()],
    wanted: d16,
    needed: {},
  },
]) {
  test(`a resize needs ${name}`, () => {
    assert.deepEqual(Object.fromEntries(coresNeeded(current, wanted)), needed);
  });
}

test("sizes that are not known are named", () => {
  const refusal = (status: number, target: string) => (error: unknown) =>
    error instanceof CloudError && error.status === status && error.body.target === target;
  assert.throws(() => coresNeeded([d8], "Standard_Z1"), refusal(400, "vmSize"));
  assert.throws(() => coresNeeded(["Standard_Z1"], d8), refusal(500, "currentVMSize"));
});
