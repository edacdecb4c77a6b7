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
  const names = (prefix: string) => Array.from({ length: 1_000 }, (_, at) => `${prefix}${at}`);
  const rule = parseRule({ apiGroups: names("g"), resources: names("r"), verbs: names("v") });
  const { rules, complete, pauses } = run([rule], undefined);
  assert.equal(complete, false);
  assert.ok(rules.length <= 50_000 && pauses > 5);
});
