import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestLimits } from "@keelson/apimachinery";
import { Readings } from "@keelson/apimachinery/testing";
import { WorkBudget } from "@keelson/base";
import { parseSchema } from "./structural-schema.ts";
import { validateCustom } from "./validate-custom.ts";

const size = 2_000;
const spec = (schema: object) => parseSchema({ type: "object", properties: { spec: schema } });
const thing = (value: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec: value,
});

const mapList = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, count: { type: "integer", maximum: 0 } },
    "x-kubernetes-validations": [{ rule: "self.name != ''" }],
  },
};

describe("the cost of validation is linear in the object", () => {
  for (const [what, change] of [
    ["unchanged", (at: number) => at],
    ["turned round", (at: number) => size - 1 - at],
  ] as const) {
    test(`elements of a map list, ${what}, are correlated with their old values`, () => {
      const readings = new Readings();
      const list = (place: (at: number) => number) =>
        Array.from({ length: size }, (_, at) => readings.of({ name: `n${place(at)}`, count: 1 }));
      const current = thing(list((at) => at));
      assert.deepEqual(validateCustom(spec(mapList), { object: thing(list(change)), current }), []);
      assert.ok(readings.count < 60 * size, `${readings.count} readings`);
    });
  }

  test("unchanged parts are compared only once, not for each enclosing part", () => {
    const depth = 200;
    const nested = (schema: object): object => ({ type: "object", properties: { a: schema } });
    let schema: object = { type: "integer", maximum: 0 };
    let value: unknown = 1;
    for (let at = 0; at < depth; at++) {
      schema = nested(schema);
      value = { a: value, more: Array.from({ length: 20 }, (_, item) => item) };
    }
    const budget = new WorkBudget(requestLimits);
    const object = thing(value);
    const causes = validateCustom(spec(schema), { object, current: structuredClone(object), budget });
    assert.deepEqual(causes, []);
    assert.ok(budget.spent.nodes < 40 * depth, `${budget.spent.nodes} nodes`);
  });

  test("a long enum is not searched linearly for each element", () => {
    const values = Array.from({ length: size }, (_, at) => `value-${at}`);
    const schema = spec({ type: "array", items: { type: "string", enum: values } });
    const started = performance.now();
    const object = thing(Array.from({ length: 40_000 }, () => values.at(-1)));
    assert.deepEqual(validateCustom(schema, { object }), []);
    assert.ok(performance.now() - started < 10_000);
  });

  test("an object beyond the budget of its request is rejected", () => {
    const budget = new WorkBudget({ ...requestLimits, nodes: 1_000 });
    const object = thing(Array.from({ length: size }, (_, at) => ({ name: `n${at}` })));
    assert.throws(() => validateCustom(spec(mapList), { object, budget }), { code: "WorkBudgetExceeded" });
  });
});
