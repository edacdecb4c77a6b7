import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveRules } from "./effective-rules.ts";
import { parseRule } from "./policy-rule.ts";

function run(...args: Parameters<typeof effectiveRules>) {
  const phases = effectiveRules(...args);
  let pauses = 0;
  for (;;) {
    const step = phases.next();
    if (step.done) return { ...step.value, pauses };
    pauses++;
  }
}

function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`);
}

test("verbs of a resource are combined, and verbs of a path are not", () => {
  const { rules, complete } = run(
    [
      parseRule({ apiGroups: [""], resources: ["pods"], verbs: ["list", "get"] }),
      parseRule({ apiGroups: [""], resources: ["pods"], verbs: ["get", "watch"] }),
      parseRule({ nonResourceURLs: ["/a"], verbs: ["get", "post"] }),
    ],
    undefined,
  );
  assert.ok(complete);
  assert.deepEqual(
    rules.map(({ resources, nonResourceURLs, verbs }) => [...resources, ...nonResourceURLs, ...verbs]),
    [
      ["/a", "get"],
      ["pods", "get", "list", "watch"],
      ["/a", "post"],
    ],
  );
});

test("only permissions that the limit covers remain", () => {
  const held = [parseRule({ apiGroups: ["*"], resources: ["pods", "nodes"], verbs: ["get", "delete"] })];
  const limit = [parseRule({ apiGroups: ["*"], resources: ["pods"], verbs: ["get"] })];
  const { rules } = run(held, limit);
  assert.deepEqual(rules, [parseRule({ apiGroups: ["*"], resources: ["pods"], verbs: ["get"] })]);
  assert.deepEqual(run(held, []).rules, []);
});

test("the product of a rule's lists is limited and is computed in turns", () => {
  const [apiGroups, resources, verbs] = [names("g", 1_000), names("r", 1_000), names("v", 1_000)];
  const rule = parseRule({ apiGroups, resources, verbs });
  const { rules, complete, pauses } = run([rule], undefined);
  assert.equal(complete, false);
  assert.ok(rules.length <= 50_000 && pauses > 5);
});

test("the total length of the listed permissions is limited to 4 Mi characters", () => {
  const long = "a".repeat(2 ** 20);
  for (const rule of [
    { nonResourceURLs: [`/${long}`], verbs: names("v", 10) },
    { apiGroups: [""], resources: names("r", 10), verbs: [long] },
    { apiGroups: [""], resources: ["pods"], resourceNames: names(long, 10), verbs: ["get"] },
  ]) {
    const { rules, complete } = run([parseRule(rule)], undefined);
    assert.equal(complete, false);
    assert.equal(rules.length, 3);
  }
});

test("the size of the limit's rules determines the number of turns", () => {
  const held = [parseRule({ apiGroups: [""], resources: ["pods"], verbs: names("v", 10) })];
  const limitOf = (size: number) => [
    parseRule({ apiGroups: [""], resources: ["nodes"], verbs: names("v", size) }),
  ];
  assert.deepEqual(run(held, limitOf(10)), { rules: [], complete: true, pauses: 0 });
  assert.deepEqual(run(held, limitOf(2_000)), { rules: [], complete: true, pauses: 10 });
});
