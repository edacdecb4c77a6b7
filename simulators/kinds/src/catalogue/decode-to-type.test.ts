import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeToType, typeOf } from "../types/index.ts";

function fit(kind: string, group: string, object: Readonly<Record<string, unknown>>) {
  const schema = typeOf({ group, version: "v1", kind });
  assert.ok(schema, kind);
  return decodeToType(schema, object);
}

test("unknown fields are dropped and reported by path", () => {
  const object = {
    kind: "Deployment",
    wrong: 1,
    metadata: { name: "x", labels: { any: "y" } },
    spec: {
      template: { spec: { containers: [{ name: "a" }, { name: "b", imaeg: "i", ports: [{ port: 1 }] }] } },
    },
  };
  const { value, unknownFields, mismatches } = fit("Deployment", "apps", object);
  assert.deepEqual(unknownFields, [
    "wrong",
    "spec.template.spec.containers[1].imaeg",
    "spec.template.spec.containers[1].ports[0].port",
  ]);
  assert.deepEqual(mismatches, []);
  assert.deepEqual(value, {
    kind: "Deployment",
    metadata: { name: "x", labels: { any: "y" } },
    spec: { template: { spec: { containers: [{ name: "a" }, { name: "b", ports: [{}] }] } } },
  });
});

test("nulls are dropped, and in a list or map they are zero values", () => {
  const rows: readonly [kind: string, object: Record<string, unknown>, value: object][] = [
    ["ConfigMap", { immutable: null, data: { a: null, b: "1" } }, { data: { a: "", b: "1" } }],
    ["Secret", { data: { a: null } }, { data: { a: "" } }],
    ["ResourceQuota", { spec: { hard: { cpu: null } } }, { spec: { hard: { cpu: "0" } } }],
    [
      "Pod",
      { spec: { containers: [null, { name: "a", command: [null] }] } },
      { spec: { containers: [{}, { name: "a", command: [""] }] } },
    ],
  ];
  for (const [kind, object, expected] of rows) {
    const { value, mismatches } = fit(kind, "", object);
    assert.deepEqual(value, expected);
    assert.deepEqual(mismatches, []);
  }
});

test("quantities may be numbers and become canonical", () => {
  const spec = {
    containers: [{ name: "a", resources: { limits: { cpu: 1.5, memory: "1Gi", pods: "1e3" } } }],
  };
  const { value, mismatches } = fit("Pod", "", { spec });
  assert.deepEqual(mismatches, []);
  assert.deepEqual(value, {
    spec: {
      containers: [{ name: "a", resources: { limits: { cpu: "1500m", memory: "1Gi", pods: "1e3" } } }],
    },
  });
});

test("values of a wrong type are reported", () => {
  const rows: readonly [kind: string, group: string, object: Record<string, unknown>, mismatch: string][] = [
    ["ConfigMap", "", { data: { a: 1 } }, "data.a: number for string"],
    ["ConfigMap", "", { data: ["a"] }, "data: array for map"],
    ["ConfigMap", "", { immutable: "yes" }, "immutable: string for boolean"],
    ["Secret", "", { data: { a: "not base64!" } }, "data.a: string for bytes"],
    ["Deployment", "apps", { spec: { replicas: "3" } }, "spec.replicas: string for int32"],
    ["Deployment", "apps", { spec: { replicas: 1.5 } }, "spec.replicas: number for int32"],
    ["Deployment", "apps", { spec: { replicas: 2 ** 31 } }, "spec.replicas: number for int32"],
    ["Deployment", "apps", { spec: "x" }, "spec: string for object"],
    ["Pod", "", { spec: { containers: {} } }, "spec.containers: object for list"],
    ["Pod", "", { spec: { overhead: { cpu: "lots" } } }, "spec.overhead.cpu: string for quantity"],
    [
      "Pod",
      "",
      { metadata: { creationTimestamp: "yesterday" } },
      "metadata.creationTimestamp: string for time",
    ],
    [
      "Service",
      "",
      { spec: { ports: [{ targetPort: true }] } },
      "spec.ports[0].targetPort: boolean for intOrString",
    ],
  ];
  for (const [kind, group, object, expected] of rows) {
    const found = fit(kind, group, object).mismatches.map(
      (each) => `${each.path}: ${each.found} for ${each.wanted}`,
    );
    assert.deepEqual(found, [expected]);
  }
});

test("the message for a value of a wrong type is that of Go's decoder", () => {
  const rows: readonly [kind: string, group: string, object: Record<string, unknown>, message: string][] = [
    [
      "ConfigMap",
      "",
      { data: { a: 1 } },
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
    [
      "Deployment",
      "apps",
      { spec: { replicas: "3" } },
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    [
      "Pod",
      "",
      { spec: { containers: [{ ports: [{ containerPort: true }] }] } },
      "json: cannot unmarshal bool into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
    ],
    [
      "Pod",
      "",
      { spec: { containers: {} } },
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    ["Secret", "", { data: { a: "not base64!" } }, "illegal base64 data at input byte 3"],
    [
      "Pod",
      "",
      { spec: { overhead: { cpu: "lots" } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      "Pod",
      "",
      { metadata: { creationTimestamp: "yesterday" } },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
  ];
  for (const [kind, group, object, message] of rows) {
    assert.deepEqual(
      fit(kind, group, object).mismatches.map((each) => each.message),
      [message],
    );
  }
});
