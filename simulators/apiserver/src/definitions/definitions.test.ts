import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { definitionOf, definitions, refusal, thing, things } from "../testing/test-definition.ts";
import { type Response, TestServer, widgets } from "../testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

/** Deletes the test definition and waits for its removal. */
async function withdraw(): Promise<void> {
  const { client } = server.cluster;
  const key = { name: "things.example.com" };
  await client.delete(definitions, key);
  await until(async () => (await client.find(definitions, key)) === undefined);
}

const schemaPath = "spec.validation.openAPIV3Schema.properties[spec]";
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const rule = (expression: string, more: object = {}) => ({
  "x-kubernetes-validations": [{ rule: expression, ...more }],
});
const array = {
  type: "array",
  items: { type: "array", items: { type: "array", items: { type: "string" } } },
};

const schemas: readonly (readonly [string, object, string])[] = [
  [
    "a property without a type",
    object({ a: {} }),
    `${schemaPath}.properties[a].type: Required value: must not be empty for specified object fields`,
  ],
  [
    "an array without items",
    object({ a: { type: "array" } }),
    `${schemaPath}.properties[a].items: Required value: must be specified`,
  ],
  [
    "types in alternatives",
    object({}, { anyOf: [{ type: "string" }] }),
    `${schemaPath}.anyOf[0].type: Forbidden: must be empty to be structural`,
  ],
  [
    "an invalid pattern",
    object({ a: { type: "string", pattern: "(" } }),
    `${schemaPath}.properties[a].pattern: Invalid value: "(": must be a valid regular expression`,
  ],
  [
    "unique items",
    object({ a: { type: "array", items: { type: "string" }, uniqueItems: true } }),
    `${schemaPath}.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true`,
  ],
  [
    "an unknown type",
    object({ a: { type: "text" } }),
    `${schemaPath}.properties[a].type: Unsupported value: "text": supported values: "array", "boolean"`,
  ],
  [
    "a default of a different type",
    object({ a: { type: "integer", default: "x" } }),
    `${schemaPath}.properties[a].default: Invalid value: "string": `,
  ],
  [
    "a default with unknown fields",
    object({ a: object({}, { default: { b: 1 } }) }),
    `${schemaPath}.properties[a].default: Invalid value: {"b":1}: must not have unknown fields`,
  ],
  [
    "a default that violates a rule",
    object({ a: { type: "integer", default: 1, ...rule("self > 1") } }),
    `${schemaPath}.properties[a].default: Invalid value: "integer": failed rule: self > 1`,
  ],
  [
    "properties and additionalProperties",
    object({ a: { type: "string" } }, { additionalProperties: { type: "string" } }),
    `${schemaPath}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
  ],
  [
    "a map list without keys",
    object({ a: { type: "array", items: object({}), "x-kubernetes-list-type": "map" } }),
    `${schemaPath}.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty`,
  ],
  [
    "optional keys without default",
    object({
      a: {
        type: "array",
        items: object({ k: { type: "string" } }),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
    }),
    `${schemaPath}.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys`,
  ],
  [
    "a rule with a syntax error",
    object({}, rule("this is not a rule")),
    "compilation failed: ERROR: <input>:1:6: Syntax error: mismatched input 'is' expecting <EOF>",
  ],
  [
    "a rule about an undeclared field",
    object({ a: { type: "string" } }, rule("self.z == 1")),
    "compilation failed: ERROR: <input>:1:5: undefined field 'z'",
  ],
  [
    "a rule that compares a string with a number",
    object({ a: { type: "string" } }, rule("self.a == 1")),
    "found no matching overload for '_==_' applied to '(string, int)'",
  ],
  [
    "a rule that is not a boolean",
    object({ a: { type: "string" } }, rule("self.a")),
    '.rule: Invalid value: apiextensions.ValidationRule{Rule:"self.a"',
  ],
  [
    "a message expression that is not a string",
    object({}, rule("true", { messageExpression: "1" })),
    "must evaluate to string",
  ],
  [
    "a rule with an excessive cost estimate",
    object({ a: array }, rule("self.a.all(x, x.all(y, y.all(z, z == '')))")),
    "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength",
  ],
  [
    "old values in a list without keys",
    object({ a: { type: "array", items: { type: "string", ...rule("self == oldSelf") } } }),
    `oldSelf cannot be used on the uncorrelatable portion of the schema within ${schemaPath}.properties[a]`,
  ],
  [
    "an invalid field path",
    object({}, rule("true", { fieldPath: ".nope" })),
    '.fieldPath: Invalid value: ".nope": must be a valid path',
  ],
  [
    "an unknown reason",
    object({}, rule("true", { reason: "Because" })),
    '.reason: Unsupported value: "Because"',
  ],
  [
    "an embedded resource without properties",
    object({ a: { type: "object", "x-kubernetes-embedded-resource": true } }),
    `${schemaPath}.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true`,
  ],
];

for (const [what, spec, message] of schemas) {
  test(`a definition with ${what} is rejected`, async () => {
    const said = await refusal(server.cluster.client.create(definitions, definitionOf(spec)));
    assert.ok(said.includes(message), said);
  });
}

const whole: readonly (readonly [string, (spec: Record<string, unknown>) => object, string])[] = [
  [
    "a name that differs from plural and group",
    (spec) => ({ ...spec, group: "other.com" }),
    "metadata.name: Invalid value",
  ],
  [
    "a group without a dot",
    (spec) => ({ ...spec, group: "example" }),
    "should be a domain with at least one dot",
  ],
  [
    "two storage versions",
    (spec) => ({
      ...spec,
      versions: [...listAt(spec, "versions"), { ...objectAt(listAt(spec, "versions")[0]), name: "v2" }],
    }),
    "must have exactly one version marked as storage version",
  ],
  ["no scope", (spec) => ({ ...spec, scope: "" }), "spec.scope: Required value"],
  [
    "a kind equal to its list kind",
    (spec) => ({ ...spec, names: { plural: "things", kind: "Thing", listKind: "Thing" } }),
    "kind and listKind may not be the same",
  ],
  [
    "webhook conversion without a webhook",
    (spec) => ({ ...spec, conversion: { strategy: "Webhook" } }),
    "spec.conversion.webhookClientConfig: Required value",
  ],
  [
    "a scale path outside the spec",
    (spec) => ({
      ...spec,
      versions: [
        {
          ...objectAt(listAt(spec, "versions")[0]),
          subresources: { scale: { specReplicasPath: ".status.n", statusReplicasPath: ".status.n" } },
        },
      ],
    }),
    "spec.subresources.scale.specReplicasPath: Invalid value",
  ],
  [
    "a column of an unknown type",
    (spec) => ({
      ...spec,
      versions: [
        {
          ...objectAt(listAt(spec, "versions")[0]),
          additionalPrinterColumns: [{ name: "A", type: "text", jsonPath: ".a" }],
        },
      ],
    }),
    "must be one of boolean,date,integer,number,string",
  ],
  [
    "a selectable field that is an object",
    (spec) => ({
      ...spec,
      versions: [{ ...objectAt(listAt(spec, "versions")[0]), selectableFields: [{ jsonPath: ".spec" }] }],
    }),
    "must point to a field of type string, boolean or integer",
  ],
];

for (const [what, change, message] of whole) {
  test(`a definition with ${what} is rejected`, async () => {
    const good = definitionOf({ type: "object" });
    const wrong = { ...good, spec: change(good.spec) };
    const said = await refusal(server.cluster.client.create(definitions, wrong));
    assert.ok(said.includes(message), said);
  });
}

test("a definition in a Kubernetes group needs an approval, which a condition reports", async () => {
  const { client } = server.cluster;
  const base = definitionOf({ type: "object" });
  const named = {
    ...base,
    metadata: { name: "things.x.k8s.io" },
    spec: { ...base.spec, group: "x.k8s.io" },
  };
  assert.match(
    await refusal(client.create(definitions, named)),
    /protected groups must have approval annotation/,
  );
  const annotations = { "api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1" };
  const made = await client.create(definitions, { ...named, metadata: { ...named.metadata, annotations } });
  const found = listAt(made, "status", "conditions").find(
    (each) => scalarStringAt(each, "type") === "KubernetesAPIApprovalPolicyConformant",
  );
  assert.equal(scalarStringAt(found, "reason"), "ApprovedAnnotation");
  await client.delete(definitions, { name: "things.x.k8s.io" });
});

test("group, plural and kind of an established definition cannot change", async () => {
  const { client } = server.cluster;
  const made = await client.create(definitions, definitionOf({ type: "object" }));
  const names = { plural: "things", kind: "Other", listKind: "OtherList", singular: "other" };
  const said = await refusal(
    client.update(definitions, { ...made, spec: { ...objectAt(made, "spec"), names } }),
  );
  assert.match(said, /spec\.names\.kind: Invalid value: "Other": field is immutable/);
  await withdraw();
});

test("declared selectable fields work in lists and watches", async () => {
  const { client } = server.cluster;
  const spec = object({ colour: { type: "string" }, size: { type: "integer" }, on: { type: "boolean" } });
  const selectableFields = [".spec.colour", ".spec.size", ".spec.on"].map((jsonPath) => ({ jsonPath }));
  await client.create(definitions, definitionOf(spec, { selectableFields }));
  await client.create(things, thing({ colour: "red", size: 1, on: true }, { name: "red" }));
  await client.create(things, thing({ colour: "blue", size: 2 }, { name: "blue" }));
  const names = async (fieldSelector: string) =>
    (await client.list(things, { namespace: "default", fieldSelector })).items.map(
      (each) => each.metadata.name,
    );
  assert.deepEqual(await names("spec.colour=red"), ["red"]);
  assert.deepEqual(await names("spec.size=2"), ["blue"]);
  assert.deepEqual(await names("spec.on=true"), ["red"]);
  assert.deepEqual(await names("spec.colour!=red"), ["blue"]);
  await assert.rejects(names("spec.other=1"), /field label not supported/);
  await client.delete(definitions, { name: "things.example.com" });
  await until(async () => (await client.find(definitions, { name: "things.example.com" })) === undefined);
});

test("a version that was stored cannot be dropped before its objects are migrated", async () => {
  const { client } = server.cluster;
  const made = await client.create(definitions, widgets);
  const [first, second] = listAt(made, "spec", "versions");
  const moved = [
    { ...objectAt(first), storage: false },
    { ...objectAt(second), storage: true },
  ];
  const next = await client.update(definitions, {
    ...made,
    spec: { ...objectAt(made, "spec"), versions: moved },
  });
  assert.deepEqual(valueAt(next, "status", "storedVersions"), ["v1", "v1beta1"]);
  const dropped = { ...next, spec: { ...objectAt(next, "spec"), versions: moved.slice(1) } };
  assert.match(await refusal(client.update(definitions, dropped)), /v1 was previously a storage version/);
  const migrated = await client.updateStatus(definitions, {
    ...next,
    status: { ...objectAt(next, "status"), storedVersions: ["v1beta1"] },
  });
  const left = { ...migrated, spec: { ...objectAt(migrated, "spec"), versions: moved.slice(1) } };
  assert.equal(await refusal(client.update(definitions, left)), "accepted");
});

test("a deleted definition is Terminating until its last instance is removed", async () => {
  await using own = await TestServer.start();
  const { client } = own.cluster;
  await client.create(definitions, definitionOf({ type: "object" }));
  await client.create(things, thing({}, { finalizers: ["example.com/hold"] }));
  await client.delete(definitions, { name: "things.example.com" });
  await until(async () => {
    const definition = await client.get(definitions, { name: "things.example.com" });
    return listAt(definition, "status", "conditions").some(
      (each) => scalarStringAt(each, "type") === "Terminating",
    );
  });
  assert.equal(
    await refusal(client.create(things, thing({}, { name: "b" }))),
    'things.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
  );
  await client.mergePatch(things, { namespace: "default", name: "a" }, { metadata: { finalizers: [] } });
  await until(async () => (await client.find(definitions, { name: "things.example.com" })) === undefined);
});

test("replica fields of the scale subresource cannot be negative", async () => {
  await using own = await TestServer.start();
  const { client } = own.cluster;
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const spec = object({ replicas: { type: "integer" } });
  await client.create(definitions, definitionOf(spec, { subresources: { scale } }));
  assert.match(
    await refusal(client.create(things, thing({ replicas: -1 }))),
    /\.spec\.replicas: Invalid value: -1: should be a non-negative integer/,
  );
});

test("the scale of a custom resource without replicas is an error until a write sets them", async () => {
  await using own = await TestServer.start();
  const { client } = own.cluster;
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const spec = object({ replicas: { type: "integer" } });
  await client.create(definitions, definitionOf(spec, { subresources: { scale } }));
  await client.create(things, thing({}));
  const path = "/apis/example.com/v1/namespaces/default/things/a/scale";
  const message = ({ body }: Response) => scalarStringAt(body, "message");
  const read = await own.call("GET", path);
  assert.deepEqual(
    [read.status, message(read)],
    [500, 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist'],
  );
  const patch = (body: object) =>
    own.call("PATCH", path, { headers: { "content-type": "application/merge-patch+json" }, body });
  const empty = await patch({ metadata: { labels: { a: "b" } } });
  assert.deepEqual(
    [empty.status, message(empty)],
    [400, 'the spec replicas field ".spec.replicas" cannot be empty'],
  );
  assert.equal((await patch({ spec: { replicas: 2 } })).status, 200);
  assert.equal(valueAt((await own.call("GET", path)).body, "spec", "replicas"), 2);
});
