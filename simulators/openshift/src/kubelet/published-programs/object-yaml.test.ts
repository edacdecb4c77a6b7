import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { itemYaml, objectYaml } from "./object-yaml.ts";

const objectWith = (data: unknown) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a" },
  data,
});

test("a usual object is printed in block style", () => {
  const object = objectWith({ a: "yes", script: "one\ntwo\n", list: [1] });
  assert.equal(
    objectYaml(object),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "yes"\n  script: |\n    one\n    two\n  list:\n  - 1\n',
  );
  assert.match(itemYaml(object), /^- apiVersion: v1\n {2}kind: ConfigMap\n/);
});

test("an object with many, deep or long values is printed as JSON, which is YAML", () => {
  let deep: unknown = Array.from({ length: 200 }, () => 1);
  for (let at = 0; at < 100; at++) deep = { a: deep };
  let deepText: unknown = "a\n".repeat(60_000);
  for (let at = 0; at < 100; at++) deepText = { a: deepText };
  for (const data of [deepText, Array.from({ length: 100_000 }, () => ({})), deep, "x".repeat(300_000)]) {
    const object = objectWith(data);
    assert.equal(objectYaml(object), `${JSON.stringify(object)}\n`);
    assert.equal(itemYaml(object), `- ${JSON.stringify(object)}\n`);
  }
  const script = objectWith({ script: "a\n".repeat(60_000) });
  assert.match(objectYaml(script), /script: \|\n/);
  const object = objectWith(deep);
  assert.deepEqual(parse(`items:\n${itemYaml(object)}${itemYaml(objectWith("b"))}`), {
    items: [object, objectWith("b")],
  });
});
