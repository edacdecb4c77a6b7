import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { absent, type ConformanceCase, matches } from "../case.ts";
import { post } from "../requests.ts";
import { install, thing, things } from "./definitions.ts";

const embedded = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const schema = {
  properties: {
    template: embedded,
    many: { type: "array", items: embedded },
    named: { type: "object", additionalProperties: embedded },
    defaulted: {
      ...embedded,
      properties: {
        apiVersion: { type: "string", default: "v1" },
        kind: { type: "string", default: "Pod" },
        metadata: { type: "object", default: { name: "n", foo: "bar" } },
      },
    },
  },
};
const pod = (members: object) => ({ apiVersion: "v1", kind: "Pod", ...members });
const inMetadata = (metadata: unknown) => pod({ metadata });
const unread = 'Thing in version "v1" cannot be handled as a Thing: ';

type Case = readonly [what: string, spec: object, wanted: object | string, query?: string];

const cases: readonly Case[] = [
  [
    "drops unknown metadata fields",
    { template: { ...inMetadata({ name: "Any Name", foo: "bar", creationTimestamp: null }), free: 1 } },
    { template: { ...inMetadata({ name: "Any Name" }), free: 1 } },
  ],
  [
    "drops unknown fields of default metadata",
    { defaulted: {} },
    { defaulted: inMetadata({ name: "n", foo: absent }) },
  ],
  ["has empty metadata instead of null", { template: inMetadata(null) }, { template: inMetadata({}) }],
  [
    "validates metadata strictly at any depth",
    {
      template: inMetadata({
        foo: 1,
        ownerReferences: [{ apiVersion: "v1", kind: "a", name: "b", uid: "c", bar: 1 }],
      }),
      many: [inMetadata({ foo: 1 })],
      named: { k: inMetadata({ foo: 1 }) },
    },
    `${unread}strict decoding error: unknown field "spec.many[0].metadata.foo", unknown field "spec.named[k].metadata.foo", unknown field "spec.template.metadata.foo", unknown field "spec.template.metadata.ownerReferences[0].bar"`,
    "?fieldValidation=Strict",
  ],
  [
    "requires string labels",
    { template: inMetadata({ name: "x", labels: { a: 1 } }) },
    `${unread}spec.template.metadata: Invalid value: {"labels":{"a":1},"name":"x"}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
  ],
  [
    "requires labels to be a map",
    { many: [inMetadata({ labels: "no" })] },
    `${unread}spec.many[0].metadata: Invalid value: {"labels":"no"}: json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string`,
  ],
  [
    "requires metadata to be an object",
    { template: inMetadata("text") },
    `${unread}spec.template.metadata: Invalid value: "text": json: cannot unmarshal string into Go value of type v1.ObjectMeta`,
  ],
  [
    "requires a string kind",
    { template: pod({ kind: 5 }) },
    `${unread}spec.template.kind: Invalid value: 5: must be a string`,
  ],
];

/** Conformance cases for embedded objects in custom resources (`x-kubernetes-embedded-resource`). */
export const embeddedResourceCases: readonly ConformanceCase[] = cases.map(
  ([what, spec, wanted, query = ""]) => ({
    name: `an embedded resource ${what}`,
    async run(api) {
      await install(api, schema);
      const { status, body } = await api.call(post(`${things}${query}`, thing(spec)));
      assert.equal(status, typeof wanted === "string" ? 400 : 201, scalarStringAt(body, "message"));
      if (typeof wanted === "string") assert.equal(scalarStringAt(body, "message"), wanted);
      else {
        matches(body, { spec: wanted });
        assert.ok(!JSON.stringify(body).includes("foo"));
      }
    },
  }),
);
