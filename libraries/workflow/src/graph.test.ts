import assert from "node:assert/strict";
import { test } from "node:test";
import { condition, graph, sequence, step } from "./graph.ts";

const run = async () => {};
const until = async () => true;

test("needs are names of steps that were declared before: anything else does not compile", () => {
  const before = graph("g")
    .step("first", { run })
    .condition("second", { needs: ["first"], until });
  before.step("third", { needs: ["first", "second"], run }).build();
  // @ts-expect-error: misspelt
  before.step("third", { needs: ["frist"], run });
  // @ts-expect-error: a step cannot need itself
  before.step("third", { needs: ["third"], run });
  // @ts-expect-error: a step cannot need a step that is declared later
  before.condition("third", { needs: ["fourth"], until }).step("fourth", { run });
  // @ts-expect-error: the graph already has a step with this name
  before.step("second", { run });
});

test("a step's context is the graph's", () => {
  const typed = graph<{ readonly order: string }>("g").step("first", {
    run: async ({ order }) => void order.length,
  });
  // @ts-expect-error: the context has no such property
  typed.step("second", { run: async ({ cluster }) => cluster });
});

test("steps and graphs cannot be changed", () => {
  for (const { steps, ...frozen } of [
    graph("g").condition("a", { until }).build(),
    sequence("s", [condition({ name: "a", until })]),
  ]) {
    assert.ok(Object.isFrozen(steps) && Object.isFrozen(steps[0]) && Object.isFrozen(steps[0]?.needs));
    assert.deepEqual(Object.keys(frozen), ["name"]);
  }
});

test("the steps of a sequence run one after the other", () => {
  const { steps } = sequence("s", [step({ name: "a", run }), condition({ name: "b", until })]);
  assert.deepEqual(
    steps.map(({ name, needs }) => [name, needs]),
    [
      ["a", []],
      ["b", ["a"]],
    ],
  );
});
