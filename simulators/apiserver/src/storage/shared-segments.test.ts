import assert from "node:assert/strict";
import { test } from "node:test";
import { StoredObject } from "./stored-object.ts";

const definition = (uid: string, spec: object, more: object = {}) =>
  Buffer.from(
    JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { resourceVersion: "7", name: "x", uid, ...more },
      spec,
      status: { conditions: [{ type: "Established", lastTransitionTime: uid }] },
    }),
  );
const spec = { versions: [{ name: "v1", note: 'a,"spec":{,"status":{' }] };

for (const [name, bytes] of [
  ["of the usual form", definition("a", spec)],
  ["without status", Buffer.from('{"metadata":{"name":"x"},"spec":{"a":1}}')],
  [
    "with annotations that resemble its fields",
    definition("a", spec, {
      labels: { a: "b", spec: "x", status: "y" },
      annotations: { b: "c", ',"spec":{': ',"status":{' },
    }),
  ],
  ["of a different form", Buffer.from("{}")],
] as const)
  test(`an object ${name} keeps its bytes when it shares its spec`, () => {
    const stored = new StoredObject("x", 7, bytes, { sharesSpec: true });
    assert.deepEqual(stored.bytes, bytes);
    assert.equal(stored.size, bytes.length);
    assert.deepEqual(stored.object, JSON.parse(bytes.toString()));
  });

test("objects with equal specs share one copy", () => {
  const [one, two, other] = [
    new StoredObject("x", 7, definition("a", spec), { sharesSpec: true }),
    new StoredObject("x", 9, definition("b", spec, { generation: 2 }), { sharesSpec: true }),
    new StoredObject("x", 9, definition("b", { versions: [] }), { sharesSpec: true }),
  ];
  const inCommon = (a: StoredObject, b: StoredObject) =>
    a.segments.filter((each) => b.segments.includes(each));
  assert.equal(inCommon(one, two).length, 1);
  assert.equal(inCommon(one, two)[0]?.toString(), `,"spec":${JSON.stringify(spec)}`);
  assert.deepEqual(inCommon(one, other), []);
});
