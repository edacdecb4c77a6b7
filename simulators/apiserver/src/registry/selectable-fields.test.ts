import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesFields, parseFieldSelector } from "@keelson/apimachinery";
import { requireSelectable } from "./selectable-fields.ts";

const pods = { group: "", plural: "pods", origin: "builtin" } as const;
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "n" },
  spec: { nodeName: "a,b" },
  status: { phase: "Running" },
};

for (const [text, expected] of [
  ["", true],
  ["metadata.name=p", true],
  ["metadata.name==p,metadata.namespace=n", true],
  ["metadata.name!=p", false],
  ["status.phase!=Pending", true],
  ["spec.nodeName=a\\,b", true],
  ["spec.hostNetwork=false", true],
] as const) {
  test(`the field selector "${text}" ${expected ? "selects" : "does not select"} the pod`, () => {
    const selector = requireSelectable(parseFieldSelector(text), pods);
    assert.equal(matchesFields(selector, { key: "n/p", object: pod }), expected);
  });
}

for (const [what, type, expected] of [
  ["pods", { group: "", plural: "pods", origin: "builtin" }, "field label not supported: spec.colour"],
  [
    "configmaps",
    { group: "", plural: "configmaps", origin: "builtin" },
    '"spec.colour" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    "jobs",
    { group: "batch", plural: "jobs", origin: "builtin" },
    'field label "spec.colour" not supported for Job',
  ],
  [
    "custom resources",
    { group: "example.com", plural: "widgets", origin: "custom" },
    "field label not supported: spec.colour",
  ],
] as const) {
  test(`the error names a field that ${what} cannot be selected by`, () => {
    const selector = parseFieldSelector("metadata.name=a,spec.colour=red");
    assert.throws(() => requireSelectable(selector, type), { code: 400, message: expected });
  });
}

test("a definition adds selectable fields", () => {
  const type = { group: "example.com", plural: "widgets", origin: "custom" } as const;
  requireSelectable(parseFieldSelector("spec.colour=red"), type, ["spec.colour"]);
});
