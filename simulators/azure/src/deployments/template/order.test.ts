import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@keelson/base";
import fc from "fast-check";
import { TemplateBudget } from "../language/template-budget.ts";
import { dependenciesOf } from "./order.ts";
import { planResources } from "./plan.ts";
import type { PlannedResource } from "./planned-resource.ts";
import { ResourceIndex } from "./resource-index.ts";
import { readTemplate } from "./template.ts";
import { baseContext } from "./template-context.ts";

const place = { subscriptionId: "s", group: "g" };
const context = baseContext({ place, now: new Date(0), values: {} }, new TemplateBudget());

function plan(resources: readonly JsonObject[] | JsonObject): readonly PlannedResource[] {
  const source = { $schema: "x", contentVersion: "1.0.0.0", languageVersion: "2.0", resources };
  return planResources(readTemplate(source), context, place);
}

const orderOf = (resources: readonly PlannedResource[]) =>
  dependenciesOf(resources, new ResourceIndex(resources));
const named = (name: string, more: JsonObject = {}): JsonObject => ({
  type: "A.B/cs",
  apiVersion: "2020-01-01",
  name,
  ...more,
});
const needs = (resources: readonly JsonObject[] | JsonObject): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...orderOf(plan(resources))].map(([each, others]) => [each.name, [...others].map(({ name }) => name)]),
  );

/** Random dependencies. Each resource has a list with the indexes of the resources to which it refers. */
const edges = fc.integer({ min: 1, max: 8 }).chain((count) =>
  fc.array(
    fc.array(fc.record({ to: fc.nat(count - 1), by: fc.constantFrom("name", "id", "type", "reference") }), {
      maxLength: 3,
    }),
    { minLength: count, maxLength: count },
  ),
);

describe("the order of a deployment", () => {
  test("a template is sorted, or rejected if it has a cycle", () => {
    fc.assert(
      fc.property(edges, (of) => {
        const resources = of.map((others, at) =>
          named(`r${at}`, {
            dependsOn: others.flatMap(({ to, by }) =>
              by === "name"
                ? [`r${to}`]
                : by === "id"
                  ? [`[resourceId('A.B/cs', 'r${to}')]`]
                  : by === "type"
                    ? [`A.B/cs/r${to}`]
                    : [],
            ),
            properties: {
              seen: others.flatMap(({ to, by }) =>
                by === "reference" && to !== at ? [`[reference('r${to}').x]`] : [],
              ),
            },
          }),
        );
        const reach = (from: number, seen: Set<number>): Set<number> => {
          for (const { to, by } of of[from] ?? []) {
            if ((by === "reference" && to === from) || seen.has(to)) continue;
            seen.add(to);
            reach(to, seen);
          }
          return seen;
        };
        if (of.some((_, at) => reach(at, new Set()).has(at))) {
          assert.throws(() => orderOf(plan(resources)), /Circular dependency detected/);
          return;
        }
        const order = orderOf(plan(resources));
        assert.equal(order.size, resources.length);
        for (const [each, others] of order) {
          const at = Number(each.name.slice(1));
          const expected = (of[at] ?? [])
            .filter(({ to, by }) => by !== "reference" || to !== at)
            .map(({ to }) => `r${to}`);
          assert.deepEqual(new Set([...others].map(({ name }) => name)), new Set(expected));
        }
      }),
    );
  });

  test("serial copies are deployed batch by batch", () => {
    const copy = { name: "loop", count: 5, mode: "serial", batchSize: 2 };
    assert.deepEqual(needs([named("[concat('r', copyIndex())]", { copy })]), {
      r0: [],
      r1: [],
      r2: ["r0", "r1"],
      r3: ["r0", "r1"],
      r4: ["r2", "r3"],
    });
  });

  test("a dependency on a loop includes all its copies, by name or symbol, or a single copy", () => {
    const copy = { name: "loop", count: 2 };
    const loop = named("[concat('r', copyIndex())]", { copy });
    assert.deepEqual(needs([loop, named("after", { dependsOn: ["loop"] })]).after, ["r0", "r1"]);
    const symbols = {
      many: { ...loop },
      all: named("all", { dependsOn: ["many"] }),
      one: named("one", { dependsOn: ["many[1]"] }),
    };
    assert.deepEqual(needs(symbols).all, ["r0", "r1"]);
    assert.deepEqual(needs(symbols).one, ["r1"]);
  });

  test("children have their parents' types, names and conditions, and extensions their scopes", () => {
    const planned = plan([
      named("p", {
        condition: "[equals(1, 2)]",
        resources: [{ type: "ds", apiVersion: "2020-01-01", name: "d" }],
      }),
      { ...named("x"), type: "E.F/gs", scope: "A.B/cs/p" },
      { ...named("p/E.F/y"), type: "A.B/cs/providers/gs" },
    ]);
    const group = "/subscriptions/s/resourceGroups/g/providers";
    assert.deepEqual(
      planned.map(({ id, type, skipped }) => [id, type, skipped]),
      [
        [`${group}/A.B/cs/p`, "A.B/cs", true],
        [`${group}/A.B/cs/p/ds/d`, "A.B/cs/ds", true],
        [`${group}/A.B/cs/p/providers/E.F/gs/x`, "E.F/gs", false],
        [`${group}/A.B/cs/p/providers/E.F/gs/y`, "A.B/cs/providers/gs", false],
      ],
    );
  });
});
