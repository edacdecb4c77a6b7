import assert from "node:assert/strict";
import { test } from "node:test";
import { condition, type Graph, graph, graphProblems, step } from "./graph.ts";

const run = async () => {};

const cases: readonly {
  readonly name: string;
  readonly graphs: readonly Graph<never>[];
  readonly problems: RegExp[];
}[] = [
  {
    name: "a graph in order",
    graphs: [graph("g", [step({ name: "a", run }), step({ name: "b", needs: ["a"], run })])],
    problems: [],
  },
  {
    name: "a name used twice, in two graphs",
    graphs: [graph("g", [step({ name: "a", run })]), graph("h", [step({ name: "a", run })])],
    problems: [/h: the name a is used twice/],
  },
  {
    name: "a need that does not exist",
    graphs: [graph("g", [step({ name: "a", needs: ["b"], run })])],
    problems: [/g: a needs b, which does not exist/, /g: never ready: a/],
  },
  {
    name: "a cycle",
    graphs: [graph("g", [step({ name: "a", needs: ["b"], run }), step({ name: "b", needs: ["a"], run })])],
    problems: [/g: never ready: a, b/],
  },
];

for (const { name, graphs, problems } of cases) {
  test(`${name}: ${problems.length === 0 ? "no problem" : "is found"}`, () => {
    const found = graphProblems(graphs);
    assert.equal(found.length, problems.length);
    for (const [index, problem] of problems.entries()) assert.match(found[index] ?? "", problem);
  });
}

test("steps and graphs cannot be changed", () => {
  const frozen = graph("g", [condition({ name: "a", until: async () => true })]);
  assert.ok(Object.isFrozen(frozen) && Object.isFrozen(frozen.steps) && Object.isFrozen(frozen.steps[0]));
});
