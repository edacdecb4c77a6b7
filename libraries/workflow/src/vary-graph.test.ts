import assert from "node:assert/strict";
import { test } from "node:test";
import { graph } from "./graph.ts";
import { varyGraph } from "./vary-graph.ts";

const run = async () => {};
const base = graph("base")
  .step("begin", { run })
  .step("byPassword", { needs: ["begin"], run })
  .step("work", { needs: ["byPassword"], weight: 3, run })
  .build();

test("a variation leaves steps out, adds some, and its needs follow", () => {
  const varied = varyGraph(base, "varied", {
    replaced: { byPassword: ["byToken"] },
    added: (kept) => kept.step("token", { run }).step("byToken", { needs: ["begin", "token"], run }),
    needs: { begin: ["token"] },
  });
  assert.deepEqual(
    varied.steps.map(({ name, needs, weight }) => [name, needs, weight]),
    [
      ["begin", ["token"], 1],
      ["work", ["byToken"], 3],
      ["token", [], 1],
      ["byToken", ["begin", "token"], 1],
    ],
  );
});

test("names that neither the base nor the variation has do not compile", () => {
  varyGraph(base, "varied", {
    // @ts-expect-error: the base has no such step
    replaced: { byPasword: [] },
    added: (kept) => kept,
  });
  varyGraph(base, "varied", {
    // @ts-expect-error: neither the base nor the variation has such a step
    replaced: { byPassword: ["byTokn"] },
    added: (kept) => kept.step("byToken", { run }),
  });
  varyGraph(base, "varied", {
    added: (kept) => kept.step("byToken", { run }),
    // @ts-expect-error: neither the base nor the variation has such a step
    needs: { work: ["byTokn"] },
  });
  varyGraph(base, "varied", {
    replaced: { byPassword: [] },
    // @ts-expect-error: an added step cannot need a removed step
    added: (kept) => kept.step("byToken", { needs: ["byPassword"], run }),
  });
});
