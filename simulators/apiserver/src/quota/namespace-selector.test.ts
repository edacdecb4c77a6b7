import assert from "node:assert/strict";
import { test } from "node:test";
import { namespaceSelectorOf, selectsNamespace } from "./namespace-selector.ts";

const quotaWith = (selector: unknown) => ({
  apiVersion: "quota.openshift.io/v1",
  kind: "ClusterResourceQuota",
  metadata: { name: "q" },
  spec: { selector },
});
const namespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "a", labels: { team: "x" }, annotations: { owner: "me" } },
};

for (const [selector, expected] of [
  [{ labels: { matchLabels: { team: "x" } } }, true],
  [{ labels: { matchLabels: { team: "y" } } }, false],
  [{ labels: {} }, true],
  [{ labels: null, annotations: { owner: "me" } }, true],
  [{ labels: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["y"] }] } }, true],
  [{ labels: { matchLabels: { team: "x" } }, annotations: { owner: "other" } }, false],
  [{ labels: null, annotations: null }, false],
  [undefined, false],
  ["x", false],
  [{ labels: "x" }, false],
  [{ labels: ["x"] }, false],
  [{ labels: { matchLabels: "x" } }, false],
  [{ labels: { matchLabels: { team: { toString: 1 } } } }, false],
  [{ labels: { matchExpressions: "x" } }, false],
  [{ labels: { matchExpressions: [null] } }, false],
  [{ labels: { matchExpressions: [{ key: "team", operator: "Unknown" }] } }, false],
  [{ labels: { matchExpressions: [{ key: "team", operator: "In", values: "x" }] } }, false],
  [{ labels: { matchExpressions: [{ key: "team", operator: "In" }] } }, false],
  [{ annotations: "x" }, false],
  [{ annotations: [null] }, false],
] as const) {
  test(`the selector ${JSON.stringify(selector)} ${expected ? "selects" : "does not select"} the namespace`, () => {
    assert.equal(selectsNamespace(quotaWith(selector), namespace), expected);
  });
}

test("a selector with more than a hundred labels, values and annotations selects no namespace", () => {
  const selector = (values: number) => ({
    labels: {
      matchExpressions: [
        { key: "team", operator: "NotIn", values: Array.from({ length: values }, (_, at) => `v${at}`) },
      ],
    },
    annotations: { owner: "me" },
  });
  assert.ok(namespaceSelectorOf(quotaWith(selector(99))));
  assert.equal(namespaceSelectorOf(quotaWith(selector(100))), undefined);
});
