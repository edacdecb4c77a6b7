import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  availabilityAt,
  availabilityOf,
  type ClusterHealthDocument,
  type HealthSummary,
  observe,
} from "./cluster-health.ts";

const none = { count: 0, names: [] };
const some = (name: string) => ({ count: 1, names: [name] });
const healthy: HealthSummary = {
  apiServer: 200,
  unavailableOperators: none,
  degradedOperators: none,
  notReadyNodes: none,
  nodes: 6,
  criticalAlerts: none,
  warningAlerts: none,
};
const startMs = Date.parse("2026-01-01T00:00:00Z");
const at = (minute: number) => new Date(startMs + minute * 60_000);

function observation(minute: number, summary: Partial<HealthSummary> = {}) {
  return {
    id: "id",
    partitionKey: "subscription",
    clusterKey: "key",
    observedAt: at(minute).toISOString(),
    summary: { ...healthy, ...summary },
  };
}

const rows: readonly (readonly [Partial<HealthSummary>, state: string, reason: string])[] = [
  [{}, "Available", "Healthy"],
  [{ criticalAlerts: some("KubeAPIDown") }, "Available", "Healthy"],
  [{ degradedOperators: some("ingress") }, "Degraded", "OperatorsDegraded"],
  [{ degradedOperators: some("ingress"), notReadyNodes: some("worker-1") }, "Degraded", "NodesNotReady"],
  [
    { notReadyNodes: some("worker-1"), unavailableOperators: some("dns") },
    "Degraded",
    "OperatorsUnavailable",
  ],
  [{ apiServer: 500, unavailableOperators: some("dns") }, "Unavailable", "ApiServerUnhealthy"],
  [{ apiServer: 0 }, "Unavailable", "ApiServerNotResponding"],
];
for (const [summary, state, reason] of rows)
  test(`${JSON.stringify(summary)} is ${state}, ${reason}`, () => {
    assert.deepEqual(availabilityOf({ ...healthy, ...summary }), { state, reason });
  });

test("an equal observation is written after ten minutes, a different one at once", () => {
  const first = observe(undefined, observation(0));
  assert.ok(first);
  assert.equal(observe(first, observation(9)), undefined);
  assert.deepEqual(observe(first, observation(10))?.changes, first.changes);
  assert.deepEqual(observe(first, observation(1, { warningAlerts: some("a") }))?.changes, first.changes);
  const second = observe(first, observation(2, { apiServer: 0 }));
  assert.deepEqual(second?.changes, [
    { state: "Unavailable", reason: "ApiServerNotResponding", since: at(2).toISOString() },
    { state: "Available", reason: "Healthy", since: at(0).toISOString() },
  ]);
});

test("changes are bounded, in order, and no two neighbours are equal", () => {
  const summaries = fc.constantFrom<Partial<HealthSummary>>(...rows.map(([summary]) => summary), {
    nodes: 7,
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), summaries), { maxLength: 200 }),
      (steps) => {
        let minute = 0;
        let document: ClusterHealthDocument | undefined;
        for (const [pause, summary] of steps) {
          minute += pause;
          document = observe(document, observation(minute, summary)) ?? document;
          const current = availabilityOf({ ...healthy, ...summary });
          assert.partialDeepStrictEqual(document?.changes[0], current);
        }
        const changes = document?.changes ?? [];
        assert.ok(changes.length <= 50);
        for (const [index, change] of changes.entries()) {
          const earlier = changes[index + 1];
          if (!earlier) continue;
          assert.ok(earlier.since < change.since);
          assert.notDeepEqual([earlier.state, earlier.reason], [change.state, change.reason]);
        }
      },
    ),
  );
});

test("the availability is unknown before the first observation and half an hour after the last one", () => {
  const createdAt = at(0).toISOString();
  const observed = observe(undefined, observation(1));
  const current = { state: "Available", reason: "Healthy", since: at(1).toISOString() };
  assert.deepEqual(availabilityAt(undefined, at(5), createdAt), [
    { state: "Unknown", reason: "NotObserved", since: createdAt },
  ]);
  assert.deepEqual(availabilityAt(observed, at(31), createdAt), [current]);
  assert.deepEqual(availabilityAt(observed, at(32), createdAt), [
    { state: "Unknown", reason: "ObservationTooOld", since: at(31).toISOString() },
    current,
  ]);
});
