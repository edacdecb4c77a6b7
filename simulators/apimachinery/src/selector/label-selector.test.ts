import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StatusError } from "../status/status-error.ts";
import { isLabelSelector, labelSelectorOf, matchesLabels, parseLabelSelector } from "./label-selector.ts";

const labels = { app: "web", tier: "", "example.com/size": "7" };

for (const [text, expected] of [
  ["", true],
  ["app=web", true],
  ["app==web", true],
  ["app = web , tier", true],
  ["app!=web", false],
  ["other!=web", true],
  ["app in (db, web)", true],
  ["app in (db)", false],
  ["app notin (db)", true],
  ["other notin (db)", true],
  ["tier=", true],
  ["tier in ()", true],
  ["!app", false],
  ["! other", true],
  ["app", true],
  ["example.com/size>6", true],
  ["example.com/size<6", false],
  ["in=x", false],
] as const) {
  test(`the selector "${text}" ${expected ? "selects" : "does not select"} the labels`, () => {
    assert.equal(matchesLabels(parseLabelSelector(text), labels), expected);
  });
}

for (const text of [
  "app in",
  "app in (a",
  "a=b=c",
  "a,",
  ",a",
  "=a",
  "a!b",
  "a=ä",
  "-a",
  "a>x",
  "!a=b",
  "a in b",
  "a b",
  "/a",
]) {
  test(`the selector "${text}" is rejected with 400`, () => {
    assert.throws(
      () => parseLabelSelector(text),
      (error) => error instanceof StatusError && error.code === 400,
    );
  });
}

test("any string is parsed or rejected quickly", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-c=!,() <>inot/.-]{0,40}$/), (text) => {
      try {
        parseLabelSelector(text);
      } catch (error) {
        assert.ok(error instanceof StatusError);
      }
    }),
  );
  const start = performance.now();
  assert.throws(() => parseLabelSelector(`a in (${"x,".repeat(500_000)}`));
  assert.ok(performance.now() - start < 15_000);
});

test("the string form and the object form of a selector are equivalent", () => {
  const key = fc.constantFrom("a", "b", "c");
  const value = fc.constantFrom("x", "y", "z");
  const expression = fc.record({
    key,
    operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
    values: fc.array(value, { minLength: 1 }),
  });
  const text = (e: { key: string; operator: string; values: string[] }) =>
    ({ In: `${e.key} in (${e.values})`, NotIn: `${e.key} notin (${e.values})`, Exists: e.key })[e.operator] ??
    `!${e.key}`;
  fc.assert(
    fc.property(fc.array(expression), fc.dictionary(key, value), (matchExpressions, having) => {
      const parsed = parseLabelSelector(matchExpressions.map(text).join(","));
      assert.equal(
        matchesLabels(parsed, having),
        matchesLabels(labelSelectorOf({ matchExpressions }), having),
      );
    }),
  );
});

test("a selector with more than a thousand requirements is rejected", () => {
  const selector = (count: number) => Array.from({ length: count }, () => "a!=b").join(",");
  assert.equal(parseLabelSelector(selector(1_000)).length, 1_000);
  assert.throws(() => parseLabelSelector(selector(1_001)), {
    code: 400,
    message: /more than 1000 requirements/,
  });
});

test("malformed selectors are recognized, and valid selectors can be converted", () => {
  const selector = fc.record(
    {
      matchLabels: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
      matchExpressions: fc.oneof(
        fc.array(
          fc.oneof(
            fc.record({
              key: fc.string(),
              operator: fc.constantFrom("In", "Exists", "x"),
              values: fc.jsonValue(),
            }),
            fc.jsonValue(),
          ),
        ),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(selector, fc.jsonValue()), (value) => {
      if (isLabelSelector(value)) matchesLabels(labelSelectorOf(value), labels);
    }),
  );
  const valid = { matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] };
  for (const each of [valid, {}, { matchLabels: null, matchExpressions: null }])
    assert.equal(isLabelSelector(each), true, JSON.stringify(each));
  for (const matchExpressions of [
    "x",
    [null],
    [{ key: 1, operator: "Exists" }],
    [{ key: "a", operator: "x" }],
  ])
    assert.equal(isLabelSelector({ matchExpressions }), false, JSON.stringify(matchExpressions));
});
