import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterProcessOf } from "./cluster-process.ts";

test("a cluster always has the same process, and one process has all clusters", () => {
  // These values must not change, because stored kubeconfigs depend on them.
  assert.deepEqual(
    ["demo-x7k2p", "demo-aaaaa", "other-bbbbb"].map((infraId) => clusterProcessOf(infraId, 4)),
    [0, 3, 3],
  );
  assert.equal(clusterProcessOf("demo-x7k2p", 1), 0);
  assert.equal(clusterProcessOf("demo-x7k2p", 0), 0);
});

test("clusters are spread over all processes", () => {
  const counts = new Map<number, number>();
  for (let each = 0; each < 1_000; each++) {
    const index = clusterProcessOf(`cluster${each}-aaaaa`, 4);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].sort(), [0, 1, 2, 3]);
  for (const count of counts.values()) assert.ok(count > 200 && count < 300, `${count}`);
});
