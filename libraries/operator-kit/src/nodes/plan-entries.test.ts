import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { planEntries } from "./plan-entries.ts";

const master = (name: string, uid: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, uid },
});

function planned(nodeStatuses: readonly object[], masters: readonly KubeObject[]) {
  const metadata = { name: "cluster" };
  const configuration = { apiVersion: "v1", kind: "Operator", metadata, status: { nodeStatuses } };
  const { steps, events } = planEntries(configuration, masters);
  return { steps, events: events.map(({ reason, message }) => `${reason}: ${message}`) };
}

const entry = { nodeName: "a", currentRevision: 3 };
const path = "/status/nodeStatuses/0";

for (const { title, nodeUID } of [
  { title: "without a UID", nodeUID: {} },
  { title: "with an empty UID", nodeUID: { nodeUID: "" } },
])
  test(`an entry ${title} gets the UID of its node`, () => {
    const before = { ...entry, ...nodeUID };
    assert.deepEqual(planned([before], [master("a", "1")]), {
      steps: [
        { op: "test", path, value: before },
        { op: "add", path: `${path}/nodeUID`, value: "1" },
      ],
      events: [],
    });
  });

test("an entry with the UID of its node stays as it is", () => {
  assert.deepEqual(planned([{ ...entry, nodeUID: "1" }], [master("a", "1")]), { steps: [], events: [] });
});

test("the entry of a replaced master is removed, and the new master has one without a revision", () => {
  const before = { ...entry, nodeUID: "1" };
  const { steps, events } = planned([before], [master("a", "2")]);
  assert.deepEqual(steps.slice(0, 2), [
    { op: "test", path, value: before },
    { op: "remove", path },
  ]);
  assert.deepEqual(Object(steps[2]).value, { nodeName: "a", nodeUID: "2" });
  assert.deepEqual(events, [
    "MasterNodeRemoved: Observed removal of master node a (UID: 1)",
    "MasterNodeObserved: Observed new master node a (UID: 2)",
  ]);
});

test("removals go from the last entry to the first", () => {
  const { steps } = planned(
    [{ nodeName: "b" }, { ...entry, nodeUID: "1" }, { nodeName: "c" }],
    [master("a", "1")],
  );
  assert.deepEqual(
    steps.filter(({ op }) => op === "remove").map((step) => step.path),
    ["/status/nodeStatuses/2", "/status/nodeStatuses/0"],
  );
});
