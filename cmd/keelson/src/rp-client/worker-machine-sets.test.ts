import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scaledMachineSets, workersOf } from "./worker-machine-sets.ts";

const setOf = (name: string, replicas: number) => ({
  metadata: { name, resourceVersion: "7" },
  spec: { replicas, selector: {} },
  status: { replicas, readyReplicas: replicas - 1 },
});

test("workers are spread evenly over the MachineSets, and unchanged sets are not replaced", () => {
  const changed = scaledMachineSets([setOf("a", 1), setOf("b", 1), setOf("c", 1)], 5);
  assert.deepEqual(changed, [
    { ...setOf("a", 1), spec: { replicas: 2, selector: {} } },
    { ...setOf("b", 1), spec: { replicas: 2, selector: {} } },
  ]);
});

test("scaled MachineSets have the requested number of workers in total, with a difference of at most one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 2, max: 250 }),
      (before, count) => {
        const sets = before.map((replicas, index) => setOf(`s${index}`, replicas));
        const changed = new Map(
          scaledMachineSets(sets, count).map((each) => [Object(each.metadata).name, each]),
        );
        const after = sets.map((each) =>
          Number(Object((changed.get(each.metadata.name) ?? each).spec).replicas),
        );
        assert.equal(
          after.reduce((sum, each) => sum + each, 0),
          count,
        );
        assert.ok(Math.max(...after) - Math.min(...after) <= 1);
      },
    ),
  );
});

test("the number of ready workers is the sum of all MachineSets", () => {
  assert.deepEqual(workersOf([setOf("a", 2), setOf("b", 3)]), { ready: 3, existing: 5 });
  assert.deepEqual(workersOf([{ spec: { replicas: 1 } }]), { ready: 0, existing: 0 });
});
