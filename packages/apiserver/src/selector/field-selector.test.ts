import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesFields, parseFieldSelector, selectable, selectedName } from "./field-selector.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "n" },
  spec: { nodeName: "a,b" },
  status: { phase: "Running" },
};
const fields = selectable("", "pods");

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
    assert.equal(matchesFields(parseFieldSelector(text, fields), { key: "n/p", object: pod }), expected);
  });
}

test("a field that cannot be selected is named in the refusal", () => {
  assert.throws(
    () => parseFieldSelector("spec.colour=red", fields),
    /^StatusError: field label not supported: spec.colour$/,
  );
});

test("a selector says which one name it asks for", () => {
  assert.equal(selectedName(parseFieldSelector("metadata.name=p", fields)), "p");
  assert.equal(selectedName(parseFieldSelector("metadata.name!=p", fields)), undefined);
});
