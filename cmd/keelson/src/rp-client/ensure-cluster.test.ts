import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOperation } from "./ensure-cluster.ts";

const properties = { step: "network, nodes", completedSteps: 3, totalSteps: 50 };
const rows: readonly (readonly [string, Parameters<typeof describeOperation>[1], string])[] = [
  ["without a worker", { status: "Creating" }, "demo Creating: waiting for a worker"],
  [
    "with steps",
    { status: "Updating", percentComplete: 6.7, properties },
    "demo Updating   6%  3/50  network, nodes",
  ],
  ["without a percentage", { status: "Creating", properties }, "demo Creating  3/50  network, nodes"],
  ["that ended before its first step", { status: "Failed" }, "demo Failed"],
];

for (const [title, operation, line] of rows)
  test(`the line of an operation ${title}`, () => assert.equal(describeOperation("demo", operation), line));
