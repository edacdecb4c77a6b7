import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { installerYaml } from "./installer-yaml.ts";

const lookalikes = [
  "no",
  "on",
  "y",
  "1_000",
  "0b11",
  "1:30",
  "0o7",
  "0777",
  "=",
  "<<",
  "~",
  "a\nb: c",
  "x: y",
];

test("a string stays a string for readers of each version of YAML", () => {
  const text = fc.oneof(fc.constantFrom(...lookalikes), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, fc.boolean(), fc.integer(), (name, isPrivate, count) => {
      const value = { metadata: { name }, zones: [name], isPrivate, count };
      for (const version of ["1.1", "1.2"] as const)
        assert.deepEqual(parse(installerYaml(value), { version }), value);
    }),
  );
});
