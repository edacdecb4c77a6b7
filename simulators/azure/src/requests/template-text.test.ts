import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { takesTemplates } from "../deployments/paths/deployment-path.ts";
import { parseTemplateText } from "./template-text.ts";

test("JSON is parsed as JSON", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(parseTemplateText(text), JSON.parse(text));
    }),
  );
});

const read: readonly (readonly [name: string, text: string, value: unknown])[] = [
  ["a bare key", "{template: {}}", { template: {} }],
  ["comments", '{ // one\n "a": /* two */ 1 /* three\n */ }', { a: 1 }],
  ["strings that resemble comments", '{"a": "// no /* comment */"}', { a: "// no /* comment */" }],
  ["texts over lines", '{"a": "x\r\n\ty"}', { a: "x\r\n\ty" }],
  ["a line that ends in an escaped backslash", '{"a": "x\\\\\ny"}', { a: "x\\\ny" }],
  ["commas before closing brackets", '{"a": [1, 2,],}', { a: [1, 2] }],
  ["a byte order mark and an end of line", '\uFEFF{"a": 1}\n', { a: 1 }],
  ["a member that is no prototype", '{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 1}}')],
];
for (const [name, text, value] of read) {
  test(`${name} can be read`, () => assert.deepEqual(parseTemplateText(text), value));
}

for (const text of ["", "{", "{other: 1}", "{'a': 1}", "[1 2]", "{} {}", "[,]", "nul", "/* open", '"open']) {
  test(`'${text}' is rejected`, () => assert.throws(() => parseTemplateText(text), SyntaxError));
}

test("deep nesting is rejected before it exhausts the stack", () => {
  assert.throws(() => parseTemplateText("[".repeat(100_000)), /nested too deeply/);
});

const group = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Resources/deployments";
const paths: readonly (readonly [url: string, takes: boolean])[] = [
  [`${group}/d?api-version=x`, true],
  [`${group.toLowerCase()}/d/validate?api-version=x`, true],
  [`${group}/d/whatIf`, true],
  ["/subscriptions/s/providers/Microsoft.Resources/deployments/d?api-version=x", true],
  [`${group}?api-version=x`, false],
  [`${group}/d/cancel`, false],
  ["/subscriptions/s/resourceGroups/g?x=/providers/Microsoft.Resources/deployments/d", false],
  ["/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", false],
];
for (const [url, takes] of paths) {
  test(`${url} ${takes ? "accepts" : "does not accept"} templates`, () =>
    assert.equal(takesTemplates(url), takes));
}
