import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOutboundSnat } from "./outbound-snat.ts";

const cases: readonly (readonly [name: string, before: string, after: string])[] = [
  ["missing", '{"cloud":"AzurePublicCloud"}', '{"cloud":"AzurePublicCloud","disableOutboundSNAT":true}'],
  ["false", '{"disableOutboundSNAT":false,"b":1}', '{"disableOutboundSNAT":true,"b":1}'],
  ["null", '{"disableOutboundSNAT":null}', '{"disableOutboundSNAT":true}'],
  [
    "a string, which cloud providers reject",
    '{"disableOutboundSNAT":"true"}',
    '{"disableOutboundSNAT":true}',
  ],
  ["true", '{ "disableOutboundSNAT" : true , "b": [ ] }', '{ "disableOutboundSNAT" : true , "b": [ ] }'],
  [
    "missing next to unknown fields",
    '{"a":9007199254740993,"b":{"c":[null,{}]},"d":0.5,"e":""}',
    '{"a":9007199254740993,"b":{"c":[null,{}]},"d":0.5,"e":"","disableOutboundSNAT":true}',
  ],
  [
    "missing in an indented text",
    '{\n\t"a": 9007199254740993,\n\t"b": {\n\t\t"c": 1\n\t}\n}',
    '{\n\t"a": 9007199254740993,\n\t"b": {\n\t\t"c": 1\n\t},\n\t"disableOutboundSNAT": true\n}',
  ],
];
for (const [name, before, after] of cases)
  test(`disableOutboundSNAT that is ${name}`, () => {
    assert.equal(withoutOutboundSnat(before), after);
    assert.equal(withoutOutboundSnat(after), after);
  });

for (const text of ["", "[]", "null", "{", "aadClientId: x"])
  test(`'${text}' is not a configuration`, () =>
    assert.throws(() => withoutOutboundSnat(text), /^Error: is not a JSON object$/));
