import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import fc from "fast-check";
import { type Response, TestServer } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  const text = { type: "string" };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "engines.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "engines", kind: "Engine" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
          },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    replicas: { type: "integer" },
                    a: text,
                    b: text,
                    c: text,
                    ready: { type: "boolean" },
                    at: { type: "string", format: "date-time" },
                    whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { s: text } },
                    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
                    list: { type: "array", items: text },
                    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                    map: { type: "object", additionalProperties: { type: "integer" } },
                  },
                },
                status: {
                  type: "object",
                  properties: {
                    replicas: { type: "integer" },
                    a: text,
                    b: text,
                    c: text,
                    conditions: {
                      type: "array",
                      "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["type"],
                      items: { type: "object", required: ["type"], properties: { type: text, status: text } },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
  const made = await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: definition,
  });
  assert.equal(made.status, 201);
});
after(() => server[Symbol.asyncDispose]());

const engines = "/apis/example.com/v1/namespaces/default/engines";
const engine = (name: string, fields: object) => ({
  apiVersion: "example.com/v1",
  kind: "Engine",
  metadata: { name },
  ...fields,
});
const patch = (path: string, type: string, body: unknown) =>
  server.call("PATCH", path, { headers: { "content-type": type }, body });
/** Applies `fields` with `manager` as field manager. `path` is the object name, optionally with a subresource. */
const apply = (path: string, manager: string, fields: object, query = "") =>
  patch(
    `${engines}/${path}?fieldManager=${manager}${query}`,
    "application/apply-patch+yaml",
    engine(path.split("/")[0] ?? "", fields),
  );
const force = "&force=true";
const messageOf = ({ body }: Response) => scalarStringAt(body, "message");
const condition = (type: string) => ({ type, status: "True" });

/** Returns the managed fields. Each key has the form `manager operation subresource`. */
function managersOf({ body }: Response): Record<string, unknown> {
  return Object.fromEntries(
    listAt(body, "metadata", "managedFields").map((each) => [
      [
        scalarStringAt(each, "manager"),
        scalarStringAt(each, "operation"),
        scalarStringAt(each, "subresource"),
      ]
        .join(" ")
        .trim(),
      valueAt(each, "fieldsV1"),
    ]),
  );
}

test("an apply to the status of a custom resource sets, shares, takes over and removes status fields", async () => {
  assert.equal((await apply("a/status", "one", { status: { a: "1" } })).status, 404);
  await apply("a", "spec", { spec: { a: "1" } });
  const first = await apply("a/status", "one", { status: { a: "1", conditions: [condition("A")] } });
  assert.equal(first.status, 200, messageOf(first));
  assert.deepEqual(managersOf(first), {
    "spec Apply": { "f:spec": { "f:a": {} } },
    "one Apply status": {
      "f:status": {
        "f:a": {},
        "f:conditions": { 'k:{"type":"A"}': { ".": {}, "f:type": {}, "f:status": {} } },
      },
    },
  });
  const second = await apply("a/status", "two", {
    metadata: { name: "a", labels: { l: "1" } },
    spec: { a: "2" },
    status: { conditions: [condition("B")] },
  });
  assert.deepEqual(valueAt(second.body, "spec"), { a: "1" });
  assert.equal(valueAt(second.body, "metadata", "labels"), undefined);
  assert.deepEqual(valueAt(second.body, "status"), {
    a: "1",
    conditions: [condition("A"), condition("B")],
  });
  const conflict = await apply("a/status", "three", { status: { a: "2" } });
  assert.equal(conflict.status, 409);
  assert.equal(
    messageOf(conflict),
    'Apply failed with 1 conflict: conflict with "one" with subresource "status": .status.a',
  );
  const taken = await apply("a/status", "three", { status: { a: "2" } }, force);
  assert.deepEqual(valueAt(managersOf(taken), "three Apply status"), { "f:status": { "f:a": {} } });
  const givenUp = await apply("a/status", "one", { status: {} });
  assert.deepEqual(valueAt(givenUp.body, "status"), { a: "2", conditions: [condition("B")] });
  assert.deepEqual(valueAt(managersOf(givenUp), "one Apply status"), { "f:status": {} });
  const gone = await apply("a/status", "one", {});
  assert.ok(!("one Apply status" in managersOf(gone)));
  assert.equal(valueAt(gone.body, "metadata", "generation"), 1);
});

test("an apply to a custom resource neither changes nor owns its status", async () => {
  await apply("b", "one", { spec: { a: "1" } });
  await apply("b/status", "two", { status: { a: "1" } });
  const both = await apply("b", "one", { spec: { a: "2" }, status: { a: "9" } });
  assert.deepEqual(valueAt(both.body, "status"), { a: "1" });
  assert.deepEqual(valueAt(managersOf(both), "one Apply"), { "f:spec": { "f:a": {} } });
  assert.deepEqual(valueAt((await apply("b", "one", { spec: {} })).body, "status"), { a: "1" });
});

test("scaling a custom resource takes ownership of its replicas", async () => {
  await apply("c", "one", { spec: { replicas: 1, a: "1" } });
  const scale = {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "c" },
    spec: { replicas: 5 },
  };
  const path = `${engines}/c/scale`;
  const applied = (query: string) =>
    patch(`${path}?fieldManager=hpa${query}`, "application/apply-patch+yaml", scale);
  const conflict = await applied("");
  assert.equal(messageOf(conflict), 'Apply failed with 1 conflict: conflict with "one": .spec.replicas');
  assert.equal((await applied(force)).status, 200);
  const merged = await patch(`${path}?fieldManager=user`, "application/merge-patch+json", {
    spec: { replicas: 7 },
  });
  assert.equal(merged.status, 200);
  const after = await server.call("GET", `${engines}/c`);
  assert.deepEqual(managersOf(after), {
    "one Apply": { "f:spec": { "f:a": {} } },
    "user Update scale": { "f:spec": { "f:replicas": {} } },
  });
  assert.equal(
    messageOf(await apply("c", "one", { spec: { replicas: 1, a: "1" } })),
    'Apply failed with 1 conflict: conflict with "user" with subresource "scale" using example.com/v1: .spec.replicas',
  );
});

test("an apply to the status of a built-in kind with optimistic locking needs no revision", async () => {
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const budget = (fields: object) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "budget" },
    ...fields,
  });
  await server.call("POST", budgets, { body: budget({ spec: { minAvailable: 1 } }) });
  const status = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 };
  const response = await patch(
    `${budgets}/budget/status?fieldManager=one`,
    "application/apply-patch+yaml",
    budget({ status }),
  );
  assert.equal(response.status, 200, messageOf(response));
  assert.deepEqual(objectAt(response.body, "status"), status);
});

const declared = "failed to create typed patch object (/d; example.com/v1, Kind=Engine): ";
const refused: readonly (readonly [name: string, path: string, fields: object, message: string])[] = [
  [
    "an unknown field of the status",
    "d/status",
    { status: { nope: 1 } },
    ".status.nope: field not declared in schema",
  ],
  [
    "an unknown field of the spec",
    "d/status",
    { spec: { nope: 1 } },
    ".spec.nope: field not declared in schema",
  ],
  [
    "an unknown field of the status",
    "d",
    { status: { nope: 1 } },
    ".status.nope: field not declared in schema",
  ],
  [
    "a number for a string",
    "d/status",
    { status: { a: 3 } },
    ".status.a: expected string, got &value.valueUnstructured{Value:3}",
  ],
  [
    "a list for a string",
    "d",
    { spec: { a: [1, { b: null }] } },
    '.spec.a: expected string, got &value.valueUnstructured{Value:[]interface {}{1, map[string]interface {}{"b":interface {}(nil)}}}',
  ],
  [
    "a string for a number",
    "d",
    { spec: { replicas: "x" } },
    ".spec.replicas: expected numeric (int or float), got string",
  ],
  [
    "a list for a number",
    "d",
    { spec: { replicas: [] } },
    ".spec.replicas: expected numeric (int or float), got []interface {}",
  ],
  ["a string for a boolean", "d", { spec: { ready: "x" } }, ".spec.ready: expected boolean, got &{x}"],
  [
    "an object for a time",
    "d",
    { spec: { at: { b: 1, a: [2, 3] } } },
    ".spec.at: expected any scalar, got &{map[a:[2 3] b:1]}",
  ],
  ["a string for an object", "d", { spec: "x" }, ".spec: expected map, got &{x}"],
  ["a number for a free object", "d", { spec: { free: 1 } }, ".spec.free: expected map, got &{1}"],
  [
    "an unknown field of an atomic object",
    "d",
    { spec: { whole: { t: 1 } } },
    ".spec.whole.t: field not declared in schema",
  ],
  ["an object for a list", "d", { spec: { list: {} } }, ".spec.list: expected list, got &{map[]}"],
  [
    "a number in an atomic list of strings",
    "d",
    { spec: { list: ["a", 1] } },
    ".spec.list[1]: expected string, got &value.valueUnstructured{Value:1}",
  ],
  [
    "a string in a map of numbers",
    "d",
    { spec: { map: { k: "v" } } },
    ".spec.map.k: expected numeric (int or float), got string",
  ],
  [
    "a null in a set",
    "d",
    { spec: { tags: ["a", null] } },
    ".spec.tags: element 1: associative list without keys has an element that's an explicit null",
  ],
  [
    "a number for a label",
    "d",
    { metadata: { name: "d", labels: { l: 1 } } },
    ".metadata.labels.l: expected string, got &value.valueUnstructured{Value:1}",
  ],
  [
    "a string for the generation",
    "d",
    { metadata: { name: "d", generation: "x" } },
    ".metadata.generation: expected numeric (int or float), got string",
  ],
];
for (const [name, path, fields, message] of refused) {
  test(`what is applied to ${path} must fit its schema: ${name}`, async () => {
    for (const validation of ["Strict", "Warn", "Ignore"]) {
      const response = await apply(path, "one", fields, `&fieldValidation=${validation}`);
      assert.equal(response.status, 500);
      assert.equal(messageOf(response), declared + message);
    }
  });
}

test("a disallowed null is rejected in an apply and removed in other writes", async () => {
  const sent = await server.call("POST", engines, { body: engine("e", { spec: { a: null, b: "1" } }) });
  assert.deepEqual(valueAt(sent.body, "spec"), { b: "1" });
  const applied = await apply("e", "one", { spec: { a: null } }, force);
  assert.equal(
    messageOf(applied),
    'Engine.example.com "e" is invalid: spec.a: Invalid value: "null": spec.a in body must be of type string: "null"',
  );
});

test("duplicate fields of an applied configuration cause a warning per line", async () => {
  const body =
    '{"apiVersion":"example.com/v1","kind":"Engine","metadata":{"name":"f"},"spec":{"a":"1","a":"2","b":"1","b":"2"}}';
  const response = await patch(`${engines}/f?fieldManager=one`, "application/apply-patch+yaml", body);
  assert.deepEqual(response.headers.warning?.split(/, (?=299)/), [
    '299 - "line 1: key \\"a\\" already set in map"',
    '299 - "line 1: key \\"b\\" already set in map"',
  ]);
});

/**
 * Reference model of server-side apply for one part of an object. It stores each field's value and the managers that own the
 * field.
 */
class Side {
  readonly values = new Map<string, string>();
  readonly owners = new Map<string, Set<string>>();

  conflicts(manager: string, wanted: ReadonlyMap<string, string>): readonly string[] {
    return [...wanted]
      .filter(([field, value]) => {
        const others = [...(this.owners.get(field) ?? [])].some((owner) => owner !== manager);
        return others && this.values.get(field) !== value;
      })
      .map(([field]) => field);
  }

  apply(manager: string, wanted: ReadonlyMap<string, string>): void {
    for (const [field, owners] of this.owners) {
      if (wanted.has(field) || !owners.delete(manager)) continue;
      if (owners.size === 0) this.values.delete(field);
    }
    for (const [field, value] of wanted) {
      const owners = this.owners.get(field) ?? new Set();
      if (this.values.get(field) !== value) owners.clear();
      this.owners.set(field, owners.add(manager));
      this.values.set(field, value);
    }
  }
}

test("applies to an object never affect status fields, and vice versa", async () => {
  const step = fc.record({
    side: fc.constantFrom("spec", "status"),
    manager: fc.constantFrom("one", "two", "three"),
    fields: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"), {
      noNullPrototype: true,
    }),
    forced: fc.boolean(),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const name = `p${run++}`;
      const sides: Record<string, Side> = { spec: new Side(), status: new Side() };
      await apply(name, "maker", {});
      for (const { side, manager, fields, forced } of steps) {
        const model = sides[side];
        assert.ok(model);
        const wanted = new Map(Object.entries(fields));
        const conflicts = model.conflicts(manager, wanted);
        const path = side === "status" ? `${name}/status` : name;
        const response = await apply(path, manager, { [side]: fields }, forced ? force : "");
        assert.equal(response.status, conflicts.length > 0 && !forced ? 409 : 200, messageOf(response));
        if (response.status === 200) model.apply(manager, wanted);
      }
      const { body } = await server.call("GET", `${engines}/${name}`);
      for (const [side, model] of Object.entries(sides)) {
        assert.deepEqual(objectAt(body, side), Object.fromEntries(model.values));
      }
    }),
    { numRuns: 40 },
  );
});
