import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { yamlText } from "./yaml-text.ts";

test("a program that reads the YAML has the value that was shown", () => {
  const strings = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "no",
      "1e3",
      "0x1f",
      "a: b",
      "- a",
      "#",
      "a\nb\n",
      " a\nb",
      "a\n\n",
      "\n",
      "1:30",
      "null",
    ),
    fc.array(fc.constantFrom("a", " b", "", "#c", "- d:"), { maxLength: 5 }).map((lines) => lines.join("\n")),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      strings,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(strings, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (shown) => {
      const text = yamlText(shown);
      assert.deepEqual(parse(text, { maxAliasCount: 0 }), shown, text);
    }),
    { numRuns: 500 },
  );
});

test("a Kubernetes object is written as people write it", () => {
  const text = yamlText({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: {} },
    data: { "config.yaml": "a: 1\nb: 2\n", esc: "\u001b" },
    list: [{ a: 1, b: ["x", "w"] }, "z", []],
  });
  assert.equal(
    text,
    [
      "apiVersion: v1",
      "kind: ConfigMap",
      "metadata:",
      "  name: a",
      "  labels: {}",
      "data:",
      "  config.yaml: |",
      "    a: 1",
      "    b: 2",
      '  esc: "\\u001b"',
      "list:",
      "  - a: 1",
      "    b:",
      "      - x",
      "      - w",
      "  - z",
      "  - []",
      "",
    ].join("\n"),
  );
});
