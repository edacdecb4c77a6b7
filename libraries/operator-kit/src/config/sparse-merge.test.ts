import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pathsOverlap, pathText, pruneConfig } from "./config-paths.ts";
import { mergeConfigs, type SparseConfig, unionOfTexts } from "./sparse-merge.ts";

const plugins = [{ path: ["apiServerArguments", "enable-admission-plugins"], merge: unionOfTexts }];
const enabled = (...names: readonly unknown[]) => ({
  apiServerArguments: { "enable-admission-plugins": names },
});

const table: readonly {
  readonly name: string;
  readonly base: SparseConfig;
  readonly layer: SparseConfig;
  readonly merged: SparseConfig;
}[] = [
  {
    name: "objects are merged",
    base: { a: { x: 1 } },
    layer: { a: { y: 2 } },
    merged: { a: { x: 1, y: 2 } },
  },
  { name: "a list replaces a list", base: { a: [1, 2] }, layer: { a: [3] }, merged: { a: [3] } },
  { name: "null replaces, and stays", base: { a: 1 }, layer: { a: null }, merged: { a: null } },
  {
    name: "null adds nothing to a union",
    base: { apiServerArguments: { "enable-admission-plugins": ["A"] } },
    layer: { apiServerArguments: { "enable-admission-plugins": null } },
    merged: { apiServerArguments: { "enable-admission-plugins": ["A"] } },
  },
  { name: "a scalar replaces an object", base: { a: { x: 1 } }, layer: { a: "" }, merged: { a: "" } },
  { name: "an object replaces a scalar", base: { a: 1 }, layer: { a: { x: 1 } }, merged: { a: { x: 1 } } },
  { name: "an empty layer changes nothing", base: { a: 1 }, layer: {}, merged: { a: 1 } },
  { name: "plugins are united", base: enabled("B"), layer: enabled("A", "B"), merged: enabled("A", "B") },
  { name: "plugins of one layer are sorted", base: {}, layer: enabled("B", "A"), merged: enabled("A", "B") },
  {
    name: "a layer without plugins keeps them",
    base: enabled("B"),
    layer: { apiServerArguments: { v: ["2"] } },
    merged: { apiServerArguments: { "enable-admission-plugins": ["B"], v: ["2"] } },
  },
  {
    name: "layers need no type",
    base: { apiVersion: "v1", kind: "A" },
    layer: { kind: "" },
    merged: { apiVersion: "v1", kind: "" },
  },
];
for (const { name, base, layer, merged } of table)
  test(`in a merge, ${name}`, () => assert.deepEqual(mergeConfigs([base, layer], plugins), merged));

test("layers of a different type and plugins that are not strings are rejected", () => {
  const v1 = { apiVersion: "v1", kind: "A" };
  assert.throws(
    () => mergeConfigs([v1, {}, { apiVersion: "v2", kind: "A" }]),
    /^Error: v2\/A does not equal v1\/A/,
  );
  assert.throws(() => mergeConfigs([v1, { kind: "B" }]), /^Error: \/B does not equal v1\/A/);
  for (const wrong of [enabled(1), { apiServerArguments: { "enable-admission-plugins": "A" } }])
    assert.throws(() => mergeConfigs([enabled("B"), wrong], plugins), /list of strings/);
});

const names = fc.constantFrom("a", "b", "__proto__", "constructor");
const { config } = fc.letrec<{ config: SparseConfig; value: unknown }>((tie) => ({
  config: fc.dictionary(names, tie("value"), { maxKeys: 3 }) as fc.Arbitrary<SparseConfig>,
  value: fc.oneof(
    { depthSize: "small" },
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
    tie("config"),
  ),
}));
const text = (value: unknown) => JSON.stringify(value);

test("merging is idempotent and associative and does not change its layers", () => {
  fc.assert(
    fc.property(config, config, config, (one, two, three) => {
      const before = text([one, two, three]);
      const merged = mergeConfigs([one, two, three]);
      assert.equal(text(mergeConfigs([merged, three])), text(merged));
      assert.equal(text(mergeConfigs([mergeConfigs([one, two]), three])), text(merged));
      assert.equal(text([one, two, three]), before);
    }),
  );
});

test("what is pruned is what the paths have, and merges into nothing else", () => {
  const path = fc.array(names, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(config, fc.array(path, { maxLength: 3 }), (whole, paths) => {
      const pruned = pruneConfig(whole, paths);
      assert.equal(text(pruneConfig(pruned, paths)), text(pruned));
      assert.equal(text(mergeConfigs([whole, pruned])), text(whole));
    }),
  );
});

test("paths overlap when one is within the other", () => {
  assert.equal(pathsOverlap(["a", "b"], ["a"]), true);
  assert.equal(pathsOverlap(["a", "b"], ["a", "c"]), false);
  assert.equal(
    pathText(["admission", "network.openshift.io/X", "a-b"]),
    'admission["network.openshift.io/X"].a-b',
  );
});
