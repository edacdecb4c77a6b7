import assert from "node:assert/strict";
import { test } from "node:test";
import { tableOf } from "./table.ts";
import type { TimedOperation } from "./timed-operation.ts";

test("the table shows the time of both commands of the installer, under Hive too", () => {
  const operation = (steps: Readonly<Record<string, number>>): TimedOperation => ({
    status: "Succeeded",
    steps: new Map(Object.entries(steps)),
    totalMs: 60_000,
  });
  const [head, direct, hive] = tableOf(
    [
      { generateInstallState: 3_000, createMachines: 12_000, bootstrapComplete: 100 },
      { generateInstallState: 10_000, bootstrapComplete: 20_000 },
    ].map((steps) => ({ name: "case", create: operation(steps), remove: operation({}), problems: [] })),
  );
  assert.deepEqual(head?.slice(2, 4), ["create manifests", "create cluster"]);
  assert.deepEqual(direct?.slice(1, 7), ["Succeeded", "3.0", "12.1", "60.0", "60.0", "yes"]);
  assert.equal(direct?.[7], "createMachines 12.0, generateInstallState 3.0, bootstrapComplete 0.1");
  assert.deepEqual(hive?.slice(2, 4), ["10.0", "20.0"]);
});
