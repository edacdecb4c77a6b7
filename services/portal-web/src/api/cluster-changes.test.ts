import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterSummary } from "@keelson/portal-api";
import fc from "fast-check";
import { withCluster, withHealth, withOperation, withoutCluster } from "./cluster-changes.ts";

const cluster = (key: string, provisioningState = "Succeeded"): ClusterSummary => ({
  key,
  name: key,
  subscription: "s",
  resourceGroup: "g",
  resourceId: `/subscriptions/s/Clusters/${key}`,
  provisioningState,
  failedProvisioningState: "",
  failedprovisioningState: "",
  version: "",
  createdAt: "Unknown",
  lastModified: "Unknown",
  provisionedBy: "",
  location: "",
  health: { state: "Unknown", reason: "NotObserved", problems: [] },
});

test("changes in any order produce the server's list", () => {
  const change = fc.record({
    key: fc.constantFrom("a", "b", "c", "d"),
    gone: fc.boolean(),
    state: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      let list: readonly ClusterSummary[] = [];
      const server = new Map<string, ClusterSummary>();
      for (const { key, gone, state } of changes) {
        const changed = cluster(key, state);
        if (gone) server.delete(key);
        else server.set(key, changed);
        list = gone
          ? withoutCluster(list, { resourceId: changed.resourceId.toUpperCase() })
          : withCluster(list, changed);
      }
      assert.deepEqual(
        list,
        [...server.values()].sort((one, other) => (one.key < other.key ? -1 : 1)),
      );
    }),
  );
});

test("an observation changes the health of its cluster only", () => {
  const health = { state: "Available", reason: "Healthy", problems: [] } as const;
  const list = withHealth([cluster("a"), cluster("b")], {
    resourceId: "/subscriptions/s/clusters/b",
    health: { ...health, problems: [] },
  });
  assert.deepEqual(
    list.map((each) => each.health.state),
    ["Unknown", "Available"],
  );
});

test("progress is shown while an operation runs, and removed at its end", () => {
  const event = {
    resourceId: "/A",
    id: "1",
    kind: "Creating",
    state: "Creating",
    percentComplete: 40,
    currentSteps: ["bootstrap"],
  };
  const running = withOperation(new Map(), event);
  assert.equal(running.get("/a")?.percentComplete, 40);
  for (const state of ["Succeeded", "Failed", "Canceled"])
    assert.equal(withOperation(running, { ...event, state }).size, 0);
});
