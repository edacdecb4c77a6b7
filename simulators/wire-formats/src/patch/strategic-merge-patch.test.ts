import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { PatchError } from "@keelson/apimachinery";
import { Readings } from "@keelson/apimachinery/testing";
import { isPlainObject, WorkBudget } from "@keelson/base";
import { type FieldSchema, type TypeSchema, typeOf } from "@keelson/kinds";
import fc from "fast-check";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
const deploymentKind = { group: "apps", version: "v1", kind: "Deployment" };

test("lists with a merge key are merged, others are replaced", async (t) => {
  const rows: readonly {
    readonly name: string;
    readonly spec: unknown;
    readonly patch: unknown;
    readonly result: unknown;
  }[] = [
    {
      name: "an item is changed at its position",
      spec: { containers: [{ name: "a", image: "1", tty: true }, { name: "b" }] },
      patch: { containers: [{ name: "a", image: "2" }] },
      result: { containers: [{ name: "a", image: "2", tty: true }, { name: "b" }] },
    },
    {
      name: "without an order, a new item is first",
      spec: { containers: [{ name: "a" }] },
      patch: { containers: [{ name: "b" }] },
      result: { containers: [{ name: "b" }, { name: "a" }] },
    },
    {
      name: "items have the requested order, and the server's items their own",
      spec: { containers: [{ name: "a" }, { name: "mine" }, { name: "b" }] },
      patch: {
        "$setElementOrder/containers": [{ name: "b" }, { name: "c" }, { name: "a" }],
        containers: [{ name: "c" }],
      },
      result: { containers: [{ name: "mine" }, { name: "b" }, { name: "c" }, { name: "a" }] },
    },
    {
      name: "an order without items sorts",
      spec: { containers: [{ name: "a" }, { name: "b" }] },
      patch: { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] },
      result: { containers: [{ name: "b" }, { name: "a" }] },
    },
    {
      name: "an item is deleted",
      spec: { containers: [{ name: "a" }, { name: "b" }] },
      patch: { containers: [{ name: "a", $patch: "delete" }] },
      result: { containers: [{ name: "b" }] },
    },
    {
      name: "deleting from a missing list creates an empty one",
      spec: {},
      patch: { containers: [{ name: "a", $patch: "delete" }] },
      result: { containers: [] },
    },
    {
      name: "a list is replaced by directive",
      spec: { containers: [{ name: "a" }, { name: "b" }] },
      patch: { containers: [{ $patch: "replace" }, { name: "c", image: null }] },
      result: { containers: [{ name: "c" }] },
    },
    {
      name: "an item is replaced by directive",
      spec: { containers: [{ name: "a", image: "1", tty: true }] },
      patch: { containers: [{ $patch: "replace", name: "a", image: "2" }] },
      result: { containers: [{ name: "a", image: "2" }] },
    },
    {
      name: "a list without a merge key is replaced",
      spec: { tolerations: [{ key: "a" }] },
      patch: { tolerations: [{ key: "b" }] },
      result: { tolerations: [{ key: "b" }] },
    },
    {
      name: "a list nested in an item is merged",
      spec: { containers: [{ name: "a", env: [{ name: "A", value: "1" }], args: ["x"] }] },
      patch: { containers: [{ name: "a", env: [{ name: "A", value: "2" }], args: ["y"] }] },
      result: { containers: [{ name: "a", env: [{ name: "A", value: "2" }], args: ["y"] }] },
    },
    {
      name: "null deletes a field or a list",
      spec: { nodeName: "n", containers: [{ name: "a", image: "1" }], volumes: [{ name: "v" }] },
      patch: { nodeName: null, containers: [{ name: "a", image: null }], volumes: null },
      result: { containers: [{ name: "a" }] },
    },
    {
      name: "an object is replaced by directive",
      spec: { securityContext: { runAsUser: 1, fsGroup: 2 } },
      patch: { securityContext: { $patch: "replace", fsGroup: 3 } },
      result: { securityContext: { fsGroup: 3 } },
    },
    {
      name: "an object is deleted by directive",
      spec: { nodeSelector: { a: "b" } },
      patch: { nodeSelector: { $patch: "delete" } },
      result: { nodeSelector: {} },
    },
    {
      name: "a union keeps only the named fields",
      spec: { volumes: [{ name: "v", emptyDir: {} }] },
      patch: { volumes: [{ name: "v", $retainKeys: ["name", "hostPath"], hostPath: { path: "/" } }] },
      result: { volumes: [{ name: "v", hostPath: { path: "/" } }] },
    },
    {
      name: "directives in a new object are applied and not stored",
      spec: {},
      patch: {
        volumes: [{ name: "v", $retainKeys: ["name"] }],
        affinity: { $patch: "replace", podAffinity: {} },
      },
      result: { volumes: [{ name: "v" }], affinity: { podAffinity: {} } },
    },
    {
      name: "fields with a dollar sign are data",
      spec: { unknown: { $ref: "a", $list: [1] } },
      patch: { unknown: { $ref: "b", $list: [2], $new: {} } },
      result: { unknown: { $ref: "b", $list: [2], $new: {} } },
    },
    {
      name: "fields outside the schema are merged like maps",
      spec: { unknown: { a: 1, list: [1] } },
      patch: { unknown: { b: 2, list: [2] } },
      result: { unknown: { a: 1, b: 2, list: [2] } },
    },
  ];
  for (const { name, spec, patch, result } of rows) {
    await t.test(name, () =>
      assert.deepEqual(applyStrategicMergePatch(podKind, { spec }, { spec: patch }), { spec: result }),
    );
  }
});

test("declared rules apply to kinds that are not built in", () => {
  const kind = { group: "apps.example.com", version: "v1", kind: "Deployment" };
  const object = {
    metadata: { finalizers: ["a"] },
    uris: ["x"],
    plain: ["x"],
    spec: {
      tags: [{ name: "1", from: "a" }, { name: "2" }],
      template: { spec: { containers: [{ name: "c", image: "1", tty: true }] } },
    },
  };
  const patch = {
    metadata: { finalizers: ["b"] },
    uris: ["y"],
    plain: ["y"],
    spec: {
      tags: [
        { name: "1", from: "b" },
        { name: "2", $patch: "delete" },
      ],
      template: { spec: { containers: [{ name: "c", image: "2" }] } },
    },
  };
  const rules = { keys: { "spec.tags": "name", uris: "" }, podTemplates: ["spec.template"] };
  assert.deepEqual(applyStrategicMergePatch(kind, object, patch, undefined, rules), {
    metadata: { finalizers: ["b", "a"] },
    uris: ["y", "x"],
    plain: ["y"],
    spec: {
      tags: [{ name: "1", from: "b" }],
      template: { spec: { containers: [{ name: "c", image: "2", tty: true }] } },
    },
  });
  assert.throws(() => applyStrategicMergePatch(kind, object, patch), { status: 415 });
});

test("finalizers are a set", () => {
  const metadata = (patch: unknown) =>
    applyStrategicMergePatch(podKind, { metadata: { finalizers: ["a", "b"] } }, { metadata: patch });
  assert.deepEqual(metadata({ finalizers: ["c", "a"] }), { metadata: { finalizers: ["c", "a", "b"] } });
  assert.deepEqual(metadata({ "$deleteFromPrimitiveList/finalizers": ["a"] }), {
    metadata: { finalizers: ["b"] },
  });
});

test("a selector of a disruption budget is replaced as a unit", () => {
  const kind = { group: "policy", version: "v1", kind: "PodDisruptionBudget" };
  const selector = (app: string) => ({ spec: { selector: { matchLabels: { [app]: "x" } } } });
  assert.deepEqual(applyStrategicMergePatch(kind, selector("a"), selector("b")), selector("b"));
});

test("patches of kubectl apply keep items of other clients", () => {
  const live = {
    spec: {
      replicas: 5,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      template: {
        spec: {
          containers: [
            { name: "a", image: "1", imagePullPolicy: "Always" },
            { name: "gone", image: "x" },
            { name: "injected", image: "proxy" },
          ],
        },
      },
    },
  };
  // Patch that kubectl 1.20 sends after the container `gone` was removed from the file. Previously, the containers a and gone
  // were applied.
  const patch = {
    spec: {
      strategy: { $retainKeys: ["type"], rollingUpdate: null, type: "Recreate" },
      template: {
        spec: {
          "$setElementOrder/containers": [{ name: "a" }],
          containers: [
            { image: "2", name: "a", ports: [{ containerPort: 80 }] },
            { $patch: "delete", name: "gone" },
          ],
        },
      },
    },
  };
  assert.deepEqual(applyStrategicMergePatch(deploymentKind, live, patch), {
    spec: {
      replicas: 5,
      strategy: { type: "Recreate" },
      template: {
        spec: {
          containers: [
            { name: "a", image: "2", imagePullPolicy: "Always", ports: [{ containerPort: 80 }] },
            { name: "injected", image: "proxy" },
          ],
        },
      },
    },
  });
});

test("invalid patches are rejected with the correct status", () => {
  const custom = { group: "config.openshift.io", version: "v1", kind: "ClusterVersion" };
  const rows: readonly [status: number, kind: typeof podKind, patch: unknown, message?: string][] = [
    [415, custom, {}],
    [400, podKind, []],
    [
      500,
      podKind,
      { spec: { $patch: "explode" } },
      "unknown patch type: explode in map: map[$patch:explode]",
    ],
    [400, podKind, { spec: { "$setElementOrder/containers": "a" } }],
    [400, podKind, { spec: { containers: ["a"] } }],
    [400, podKind, { spec: { $retainKeys: ["a"], b: 1 } }],
    [
      500,
      podKind,
      { spec: { containers: [{ image: "x" }] } },
      "map: map[image:x] does not contain declared merge key: name",
    ],
  ];
  for (const [status, kind, patch, message] of rows) {
    assert.throws(
      () => applyStrategicMergePatch(kind, {}, patch),
      (error) =>
        error instanceof PatchError &&
        error.status === status &&
        (message ?? error.message) === error.message,
      JSON.stringify(patch),
    );
  }
});

test("the difference of two deployments converts one to the other", () => {
  fc.assert(
    fc.property(deployments(), deployments(), (from, to) => {
      const before = structuredClone(from);
      assert.deepEqual(
        applyStrategicMergePatch(deploymentKind, from, difference(typeOf(deploymentKind), from, to)),
        to,
      );
      assert.deepEqual(from, before);
    }),
  );
});

type JsonMap = Readonly<Record<string, unknown>>;

function deployments(): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom("a", "b", "c", "d");
  const named = (rest: Record<string, fc.Arbitrary<unknown>>) =>
    fc.uniqueArray(fc.record({ name, ...rest }, { requiredKeys: ["name"] }), {
      selector: (item) => item.name,
      maxLength: 4,
    });
  const labels = fc.dictionary(name, name, { maxKeys: 3 });
  const env = named({ value: fc.string() });
  const ports = fc.uniqueArray(fc.record({ containerPort: fc.integer({ min: 1, max: 4 }), protocol: name }), {
    selector: (port) => port.containerPort,
    maxLength: 3,
  });
  const containers = named({
    image: name,
    env,
    ports,
    args: fc.array(name, { maxLength: 2 }),
    resources: fc.record({ limits: labels }),
  });
  const volumes = named({ emptyDir: labels, hostPath: labels });
  const tolerations = fc.array(fc.record({ key: name }), { maxLength: 2 });
  const podSpec = fc.record(
    { containers, volumes, tolerations, nodeSelector: labels, priority: fc.nat() },
    { requiredKeys: [] },
  );
  const strategy = fc.oneof(
    fc.record({ type: fc.constant("Recreate") }),
    fc.record({ type: fc.constant("RollingUpdate"), rollingUpdate: fc.record({ maxSurge: fc.nat() }) }),
  );
  const finalizers = fc.uniqueArray(name, { maxLength: 3 });
  const deployment = fc.record(
    {
      metadata: fc.record({ labels, finalizers }, { requiredKeys: [] }),
      spec: fc.record(
        { strategy, replicas: fc.nat(), template: fc.record({ spec: podSpec }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  // Cloned objects have the standard prototypes, like parsed JSON.
  return deployment.map((value) => structuredClone(value));
}

/** Returns the strategic merge patch between two objects, in the form that kubectl sends. */
function difference(schema: TypeSchema | undefined, from: JsonMap, to: JsonMap): Record<string, unknown> {
  const patch: [string, unknown][] = [];
  for (const member of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [old, wanted] = [from[member], to[member]];
    if (wanted === undefined) patch.push([member, null]);
    else if (!isDeepStrictEqual(old, wanted)) patch.push(...memberDifference(schema, member, old, wanted));
  }
  return Object.fromEntries(patch);
}

function memberDifference(
  schema: TypeSchema | undefined,
  member: string,
  old: unknown,
  wanted: unknown,
): [string, unknown][] {
  const field: FieldSchema | undefined = schema?.type === "object" ? schema.fields.get(member) : undefined;
  const rule = field?.mergeRule;
  if (isPlainObject(old) && isPlainObject(wanted)) {
    const union = rule?.retainKeys ? { $retainKeys: Object.keys(wanted) } : {};
    return [[member, { ...difference(field?.schema, old, wanted), ...union }]];
  }
  if (!rule?.merge || !Array.isArray(wanted) || !Array.isArray(old)) return [[member, wanted]];
  const { mergeKey } = rule;
  if (mergeKey === undefined) {
    return [
      [`$deleteFromPrimitiveList/${member}`, old.filter((item) => !wanted.includes(item))],
      [`$setElementOrder/${member}`, wanted],
      [member, wanted.filter((item) => !old.includes(item))],
    ];
  }
  const items = field?.schema.type === "list" ? field.schema.items : undefined;
  const changed = wanted.map((item) => {
    const present = old.find((each) => each[mergeKey] === item[mergeKey]);
    const union = rule.retainKeys ? { $retainKeys: Object.keys(item) } : {};
    return present ? { ...difference(items, present, item), [mergeKey]: item[mergeKey], ...union } : item;
  });
  const deleted = old
    .filter((item) => !wanted.some((each) => each[mergeKey] === item[mergeKey]))
    .map((item) => ({ [mergeKey]: item[mergeKey], $patch: "delete" }));
  return [
    [`$setElementOrder/${member}`, wanted.map((item) => ({ [mergeKey]: item[mergeKey] }))],
    [member, [...changed, ...deleted]],
  ];
}

test("the cost of merging two long lists is linear", () => {
  const size = 2_000;
  const readings = new Readings();
  const env = (from: number) =>
    Array.from({ length: size }, (_, at) => readings.of({ name: `n${from + at}`, value: "v" }));
  const pod = { spec: { containers: [{ name: "a", env: env(0) }] } };
  const patch = { spec: { containers: [{ name: "a", env: env(size / 2) }] } };
  const result = applyStrategicMergePatch(podKind, pod, patch);
  assert.ok(readings.count < 60 * size, `${readings.count} readings`);
  assert.match(JSON.stringify(result), /"n2999"/);
});

test("removing many values of a list visits each once", () => {
  const values = Array.from({ length: 30_000 }, (_, at) => `f${at}`);
  const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": values } };
  const started = performance.now();
  const result = applyStrategicMergePatch(podKind, { metadata: { finalizers: values.toReversed() } }, patch);
  assert.deepEqual(result.metadata, { finalizers: [] });
  assert.ok(performance.now() - started < 5_000);
});

test("a merge beyond the budget of its request is rejected", () => {
  const env = Array.from({ length: 1_000 }, (_, at) => ({ name: `n${at}`, value: "v" }));
  const pod = { spec: { containers: [{ name: "a", env }] } };
  const budget = new WorkBudget({ nodes: 1_000, bytes: 1_000_000, timeMs: 60_000 });
  assert.throws(() => applyStrategicMergePatch(podKind, pod, pod, budget), { code: "WorkBudgetExceeded" });
});
