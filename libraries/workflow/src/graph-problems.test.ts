import assert from "node:assert/strict";
import { test } from "node:test";
import { type Graph, graph, step } from "./graph.ts";
import { graphProblems } from "./graph-problems.ts";

const run = async () => {};

/** Creates a graph that the builder would reject. */
function unchecked(name: string, needs: Readonly<Record<string, readonly string[]>>): Graph<never> {
  const steps = Object.entries(needs).map(([each, its]) => ({ ...step({ name: each, run }), needs: its }));
  return { name, steps };
}

const cases: readonly {
  readonly name: string;
  readonly graphs: readonly Graph<never>[];
  readonly problems: RegExp[];
}[] = [
  {
    name: "a graph in order",
    graphs: [
      graph("g")
        .step("a", { run })
        .step("b", { needs: ["a"], run })
        .build(),
    ],
    problems: [],
  },
  {
    name: "a name used twice, in two graphs",
    graphs: [graph("g").step("a", { run }).build(), graph("h").step("a", { run }).build()],
    problems: [/h: the name a is used twice/],
  },
  {
    name: "a need that does not exist",
    graphs: [unchecked("g", { a: ["b"] })],
    problems: [/g: a needs b, which does not exist/, /g: never ready: a/],
  },
  {
    name: "a cycle",
    graphs: [unchecked("g", { a: ["b"], b: ["a"] })],
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
