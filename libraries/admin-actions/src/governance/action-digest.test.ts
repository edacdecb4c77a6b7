import assert from "node:assert/strict";
import { test } from "node:test";
import { actionDigest } from "./action-digest.ts";

const digest = actionDigest("POST startvm", { vmName: "a", options: { x: [1, { y: 2, z: 3 }] } });

test("a digest does not depend on the order of names", () =>
  assert.equal(actionDigest("POST startvm", { options: { x: [1, { z: 3, y: 2 }] }, vmName: "a" }), digest));

for (const [name, action, parameters] of [
  ["action", "POST stopvm", { vmName: "a", options: { x: [1, { y: 2, z: 3 }] } }],
  ["value", "POST startvm", { vmName: "b", options: { x: [1, { y: 2, z: 3 }] } }],
  ["type", "POST startvm", { vmName: "a", options: { x: ["1", { y: 2, z: 3 }] } }],
  ["order of a list", "POST startvm", { vmName: "a", options: { x: [{ y: 2, z: 3 }, 1] } }],
  ["nesting", "POST startvm", { vmName: "a", options: [["x", [1, { y: 2, z: 3 }]]] }],
  ["missing parameter", "POST startvm", { vmName: "a" }],
  ["name", "POST startvm", JSON.parse('{"vmName":"a","__proto__":{"x":1}}')],
] as const)
  test(`a digest depends on the ${name}`, () => assert.notEqual(actionDigest(action, parameters), digest));
