import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { requireSelectable } from "../registry/selectable-fields.ts";
import { matchesFields, parseFieldSelector, selectedName } from "./field-selector.ts";

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
  test(`a field that ${what} cannot be selected by is named in the refusal`, () => {
    const selector = parseFieldSelector("metadata.name=a,spec.colour=red");
    assert.throws(() => requireSelectable(selector, type), { code: 400, message: expected });
  });
}

test("a definition adds fields to select by", () => {
  const type = { group: "example.com", plural: "widgets", origin: "custom" } as const;
  requireSelectable(parseFieldSelector("spec.colour=red"), type, ["spec.colour"]);
});

for (const [text, expected] of [
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ["a=b\\x", "invalid field selector: invalid escape sequence: \\x"],
  ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
] as const) {
  test(`${text} is no field selector`, () => {
    assert.throws(() => parseFieldSelector(text), { code: 400, message: expected });
  });
}

test("an escaped comma ends no term, and terms may be empty", () => {
  const expected = [
    { field: "a", value: "x,metadata.name=ok", equal: false },
    { field: "b", value: "", equal: true },
  ];
  assert.deepEqual(parseFieldSelector(",a!=x\\,metadata.name\\=ok,,b==,"), expected);
});

test("whatever a value holds survives being escaped", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      const escaped = values.map((each) => `f=${each.replace(/[\\,=]/g, "\\$&")}`);
      assert.deepEqual(
        parseFieldSelector(escaped.join(",")),
        values.map((value) => ({ field: "f", value, equal: true })),
      );
    }),
  );
});

test("a selector says which one name it asks for", () => {
  assert.equal(selectedName(parseFieldSelector("metadata.name=p")), "p");
  assert.equal(selectedName(parseFieldSelector("metadata.name!=p")), undefined);
});

test("a selector of more than a thousand terms is refused", () => {
  const selector = (count: number) => Array.from({ length: count }, () => "a!=b").join(",");
  assert.equal(parseFieldSelector(selector(1_000)).length, 1_000);
  assert.throws(() => parseFieldSelector(selector(1_001)), { code: 400, message: /at most 1000/ });
});
