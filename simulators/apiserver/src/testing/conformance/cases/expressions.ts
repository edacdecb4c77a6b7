import assert from "node:assert/strict";
import type { Api } from "../api.ts";
import { all, type ConformanceCase, matches } from "../case.ts";
import { post } from "../requests.ts";
import { declare, install, thing, things } from "./definitions.ts";
import { policy } from "./policies.ts";

const reserved =
  "as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  );
const grammar = ["true", "false", "null", "in"];
const escapes = { "a-b": "a__dash__b", "a.b": "a__dot__b", "a/b": "a__slash__b", a__b: "a__underscores__b" };
const members = [...reserved, ...grammar, ...Object.keys(escapes)];

const schema = (rule: string) => ({
  properties: Object.fromEntries(members.map((member) => [member, { type: "string" }])),
  "x-kubernetes-validations": [{ rule }],
});
const spec = Object.fromEntries(members.map((member) => [member, "x"]));

/**
 * Returns a case with a rule that references all fields. `name` returns the name by which the rule references a field. The server
 * must accept the rule and evaluate the fields.
 */
const named = (
  title: string,
  names: readonly string[],
  name: (member: string) => string,
): ConformanceCase => ({
  name: title,
  async run(api) {
    const terms = names.map((member) => `self.${name(member)} == 'x'`);
    await install(api, schema(terms.join(" && ")));
    await all(api, [post(things, thing(spec))]);
    for (const member of names) {
      const refused = await api.call(post(things, thing({ ...spec, [member]: "y" }, "other")));
      assert.equal(refused.status, 422, `${member}: ${refused.text}`);
    }
  },
});

const refusedRule = (name: string, rule: string, why: string): ConformanceCase => ({
  name,
  async run(api) {
    const { status, text } = await api.call(declare(schema(rule)));
    assert.equal(status, 422);
    assert.ok(text.includes(why), text);
  },
});

const refusedPolicy = (name: string, spec: object, causes: readonly object[]): ConformanceCase => ({
  name,
  async run(api: Api) {
    const response = await api.call(policy([], spec));
    matches(response.body, { code: 422, details: { causes } });
  },
});

/** Conformance cases for field and property names in expressions. */
export const expressionCases: readonly ConformanceCase[] = [
  named("a rule may use a field with a reserved word as its name", reserved, (member) => member),
  named(
    "a rule may escape a field with a reserved word as its name",
    [...reserved, ...grammar],
    (member) => `__${member}__`,
  ),
  named(
    "a rule escapes names that are not identifiers",
    Object.keys(escapes),
    (member) => Object.entries(escapes).find(([each]) => each === member)?.[1] ?? "",
  ),
  refusedRule("a rule cannot select a keyword of the grammar", "self.in == 'x'", "Syntax error"),
  refusedRule("a rule cannot use names between backticks", "self.`a-b` == 'x'", "unsupported syntax: '`'"),
  refusedRule(
    "a rule's variable cannot be a reserved word",
    "[1].all(if, if == 1)",
    "reserved identifier: if",
  ),
  refusedPolicy(
    "a policy's variable is an identifier",
    {
      validations: [{ expression: "true" }],
      variables: [
        { name: "namespace", expression: "1" },
        { name: "a-b", expression: "1" },
        { name: "__namespace__", expression: "1" },
      ],
    },
    [0, 1].map((at) => ({
      field: `spec.variables[${at}].name`,
      message: /Invalid value: "\S+": must be a valid CEL identifier$/,
    })),
  ),
  refusedPolicy(
    "a policy names the fields of a request and of its namespace, which need no escapes",
    {
      validations: [
        "request.namespace != '' && namespaceObject.metadata.namespace == ''",
        "request.__namespace__ != ''",
        "request.object != null",
        "request.uid != ''",
        "namespaceObject.metadata.__namespace__ == ''",
        "namespaceObject.metadata.uid == ''",
        "namespaceObject.kind == ''",
        "request.dryRun == 'x'",
      ].map((expression) => ({ expression })),
    },
    [
      [1, "undefined field '__namespace__'"],
      [2, "undefined field 'object'"],
      [3, "undefined field 'uid'"],
      [4, "undefined field '__namespace__'"],
      [5, "undefined field 'uid'"],
      [6, "undefined field 'kind'"],
      [7, "found no matching overload for '_==_' applied to '(bool, string)'"],
    ].map(([at, why]) => ({
      field: `spec.validations[${at}].expression`,
      message: new RegExp(String(why).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")),
    })),
  ),
];
