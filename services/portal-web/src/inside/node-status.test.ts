import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeStatus } from "./node-status.ts";

const condition = (type: string, status: string) => ({
  type,
  status,
  lastHeartbeatTime: "",
  lastTransitionTime: "",
  reason: "",
  message: "",
});

test("a node has the status of its condition Ready, and is unknown without one", () => {
  const stateOf = (status: string) => nodeStatus({ conditions: [condition("Ready", status)] }).state;
  assert.deepEqual(["True", "False", "Unknown"].map(stateOf), ["Ready", "Not ready", "Unknown"]);
  assert.equal(nodeStatus({ conditions: [] }).state, "Unknown");
});

test("pressures that are on are named", () => {
  const conditions = [
    condition("DiskPressure", "True"),
    condition("PIDPressure", "False"),
    condition("Ready", "True"),
  ];
  assert.deepEqual(nodeStatus({ conditions }).pressures, ["DiskPressure"]);
});
