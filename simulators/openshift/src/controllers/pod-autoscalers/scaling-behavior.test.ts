import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decideReplicas, type ScalingHistory } from "./scaling-behavior.ts";

const newHistory = (): ScalingHistory => ({ recommendations: [], changes: [] });
const wide = { min: 1, max: 100, behavior: undefined };
const at = (seconds: number) => 1_000_000_000 + seconds * 1_000;

test("scaling up doubles at most, or adds four, in 15 seconds", () => {
  for (const [current, expected] of [
    [1, 5],
    [3, 7],
    [10, 20],
  ] as const) {
    const decision = decideReplicas(100, current, wide, newHistory(), at(0));
    assert.deepEqual([decision.replicas, decision.limited], [expected, "ScaleUpLimit"]);
  }
});

test("replicas added in the period count against the rate", () => {
  const history = newHistory();
  history.changes.push({ atMs: at(0), change: 4 });
  assert.equal(decideReplicas(100, 5, wide, history, at(10)).replicas, 5);
  assert.equal(decideReplicas(100, 5, wide, history, at(16)).replicas, 10);
});

test("scaling down waits until nothing higher was recommended for five minutes", () => {
  const history = newHistory();
  decideReplicas(8, 8, wide, history, at(0));
  const waits = decideReplicas(2, 8, wide, history, at(60));
  assert.deepEqual([waits.replicas, waits.stabilized], [8, "down"]);
  assert.equal(decideReplicas(2, 8, wide, history, at(301)).replicas, 2);
});

test("a configured stabilization window delays scaling up", () => {
  const behavior = { scaleUp: { stabilizationWindowSeconds: 60 } };
  const history = newHistory();
  decideReplicas(2, 2, { ...wide, behavior }, history, at(0));
  const waits = decideReplicas(5, 2, { ...wide, behavior }, history, at(30));
  assert.deepEqual([waits.replicas, waits.stabilized], [2, "up"]);
  assert.equal(decideReplicas(5, 2, { ...wide, behavior }, history, at(91)).replicas, 5);
});

test("policies limit the removal, and the smallest change or no change can be selected", () => {
  const scaleDown = (rest: object) => ({
    ...wide,
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: 0,
        policies: [
          { type: "Pods", value: 4, periodSeconds: 60 },
          { type: "Percent", value: 10, periodSeconds: 60 },
        ],
        ...rest,
      },
    },
  });
  const down = (rest: object) => decideReplicas(1, 20, scaleDown(rest), newHistory(), at(0));
  assert.deepEqual([down({}).replicas, down({}).limited], [16, "ScaleDownLimit"]);
  assert.equal(down({ selectPolicy: "Min" }).replicas, 18);
  assert.equal(down({ selectPolicy: "Disabled" }).replicas, 20);
});

test("the limits are applied and reported", () => {
  const limits = { min: 2, max: 4, behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } };
  const up = decideReplicas(9, 3, limits, newHistory(), at(0));
  assert.deepEqual([up.replicas, up.limited], [4, "TooManyReplicas"]);
  const down = decideReplicas(0, 3, limits, newHistory(), at(0));
  assert.deepEqual([down.replicas, down.limited], [2, "TooFewReplicas"]);
  assert.equal(decideReplicas(9, 4, limits, newHistory(), at(0)).limited, "TooManyReplicas");
});

test("with any recommendation, replicas are within the limits and between the current and the desired count", () => {
  const step = fc.record({ seconds: fc.integer({ min: 1, max: 400 }), recommended: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const history = newHistory();
      const limits = { min: 2, max: 40, behavior: undefined };
      let [now, current] = [at(0), 5];
      for (const { seconds, recommended } of steps) {
        now += seconds * 1_000;
        const highest = Math.max(current, recommended);
        const { replicas } = decideReplicas(recommended, current, limits, history, now);
        assert.ok(replicas >= 2 && replicas <= 40);
        assert.ok(replicas <= highest || replicas === current);
        if (replicas !== current) history.changes.push({ atMs: now, change: replicas - current });
        current = replicas;
      }
      assert.ok(history.recommendations.length <= 31);
    }),
  );
});
