import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, PrinterColumn, ResourceType } from "@keelson/apimachinery";
import { builtinTypes } from "@keelson/kinds";
import { toTable } from "./table.ts";

const now = new Date("2026-01-02T00:00:00Z");
const created = "2026-01-01T23:54:48Z"; // 5 minutes and 12 seconds before now

test("built-in kinds have kubectl's columns", async (t) => {
  for (const { name, kind, object, wide = false, shows } of builtinCases) {
    await t.test(name, () => assert.deepEqual(cells(builtin(kind), object, wide), shows));
  }
});

test("custom columns", async (t) => {
  const object = {
    spec: { replicas: 3, ratio: 0.5, on: true, tags: ["a", "b"] },
    status: {
      since: "2026-01-01T23:59:00Z",
      conditions: [
        { type: "Progressing", status: "False" },
        { type: "Available", status: "True" },
      ],
      history: [{ version: "4.17.1", state: "Completed" }],
    },
  };
  const rows: readonly [PrinterColumn["type"], string, unknown][] = [
    ["string", '.status.conditions[?(@.type=="Available")].status', "True"],
    ["string", ".status.history[0].version", "4.17.1"],
    ["string", ".spec.tags", '["a","b"]'],
    ["string", ".spec.tags[*]", "a"],
    ["string", ".spec.missing", null],
    ["integer", ".spec.replicas", 3],
    ["integer", ".spec.tags", null],
    ["number", ".spec.ratio", 0.5],
    ["boolean", ".spec.on", true],
    ["string", ".spec.on", "true"],
    ["date", ".status.since", "60s"],
    ["date", ".spec.on", null],
    ["string", ".spec[", null],
    ["string", ".spec.constructor", null],
  ];
  for (const [type, jsonPath, shown] of rows) {
    await t.test(`${type} ${jsonPath}`, () => {
      const column = { name: "X", type, priority: 0, jsonPath };
      assert.deepEqual(cells(custom([column]), object), ["x", shown]);
    });
  }
});

const common = { apiVersion: "meta.k8s.io/v1", metadata: { resourceVersion: "1" }, now };

test("a custom type without columns shows its age", () => {
  assert.deepEqual(cells(custom([]), {}), ["x", "5m12s"]);
});

test("tables contain list metadata and the requested part of each object", () => {
  const type = builtin("ConfigMap");
  const object = make("ConfigMap", { data: { a: "1" } });
  const metadata = { resourceVersion: "7", continue: "token", remainingItemCount: 2 };
  const request = { ...common, type, objects: [object], metadata };
  const none = toTable({ ...request, includeObject: "None" });
  assert.deepEqual(none.metadata, metadata);
  assert.deepEqual(none.rows, [{ cells: ["x", 1, "5m12s"] }]);
  const partial = toTable({ ...request, includeObject: "Metadata" });
  assert.deepEqual(partial.rows[0]?.object, {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: object.metadata,
  });
  assert.equal(toTable({ ...request, includeObject: "Object" }).rows[0]?.object, object);
});

test("the row of a completed pod has a condition", () => {
  const rowOf = (phase: string) =>
    toTable({
      type: builtin("Pod"),
      objects: [make("Pod", { status: { phase } })],
      ...common,
      includeObject: "None",
    }).rows[0];
  assert.equal(rowOf("Succeeded")?.conditions?.[0]?.reason, "Succeeded");
  assert.equal(rowOf("Running")?.conditions, undefined);
});

test("every built-in kind has a table row for an empty object", () => {
  for (const type of builtinTypes) {
    const table = toTable({
      type,
      objects: [make(type.kind, {})],
      ...common,
      includeObject: "None",
    });
    assert.equal(table.rows[0]?.cells.length, table.columnDefinitions.length, type.kind);
    assert.ok(
      table.columnDefinitions.some((column) => column.format === "name"),
      type.kind,
    );
  }
});

function builtin(kind: string): ResourceType {
  const found = builtinTypes.find((type) => type.kind === kind);
  assert.ok(found, kind);
  return found;
}

function custom(columns: readonly PrinterColumn[]): ResourceType {
  return { ...builtin("ConfigMap"), kind: "X", origin: "custom", columns };
}

function make(kind: string, members: Readonly<Record<string, unknown>>): KubeObject {
  const metadata = typeof members.metadata === "object" ? members.metadata : {};
  return {
    apiVersion: "v1",
    kind,
    ...members,
    metadata: { name: "x", creationTimestamp: created, ...metadata },
  };
}

function cells(
  type: ResourceType,
  members: Readonly<Record<string, unknown>>,
  wide = true,
): readonly unknown[] {
  const objects = [make(type.kind, members)];
  const table = toTable({ ...common, type, objects, includeObject: "None" });
  return (table.rows[0]?.cells ?? []).filter((_, i) => wide || table.columnDefinitions[i]?.priority === 0);
}

interface BuiltinCase {
  readonly name: string;
  readonly kind: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly wide?: boolean;
  readonly shows: readonly unknown[];
}

const node = {
  metadata: { labels: { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/infra": "" } },
  status: {
    conditions: [{ type: "Ready", status: "True" }],
    addresses: [{ type: "InternalIP", address: "10.0.0.4" }],
    nodeInfo: {
      kubeletVersion: "v1.32.9",
      osImage: "RHCOS",
      kernelVersion: "5.14",
      containerRuntimeVersion: "cri-o://1.32",
    },
  },
};
const running = { name: "a", ready: true, restartCount: 0, state: { running: {} } };
const pod = { spec: { containers: [{ name: "a" }, { name: "b" }] } };
const template = {
  spec: {
    containers: [
      { name: "a", image: "i:1" },
      { name: "b", image: "j:2" },
    ],
  },
};

const builtinCases: readonly BuiltinCase[] = [
  {
    name: "a ready node with two roles",
    kind: "Node",
    object: node,
    wide: true,
    shows: [
      "x",
      "Ready",
      "infra,worker",
      "5m12s",
      "v1.32.9",
      "10.0.0.4",
      "<none>",
      "RHCOS",
      "5.14",
      "cri-o://1.32",
    ],
  },
  {
    name: "a cordoned node without conditions",
    kind: "Node",
    object: { spec: { unschedulable: true } },
    shows: ["x", "Unknown,SchedulingDisabled", "<none>", "5m12s", ""],
  },
  {
    name: "a pod with one of two containers ready, restarted once",
    kind: "Pod",
    object: {
      ...pod,
      status: {
        phase: "Running",
        containerStatuses: [
          running,
          {
            name: "b",
            ready: false,
            restartCount: 1,
            state: { waiting: { reason: "CrashLoopBackOff" } },
            lastState: { terminated: { finishedAt: "2026-01-01T23:59:00Z" } },
          },
        ],
      },
    },
    shows: ["x", "1/2", "CrashLoopBackOff", "1 (60s ago)", "5m12s"],
  },
  {
    name: "a pod with a failed init container",
    kind: "Pod",
    object: {
      spec: { ...pod.spec, initContainers: [{ name: "i" }] },
      status: {
        phase: "Pending",
        initContainerStatuses: [{ name: "i", restartCount: 0, state: { terminated: { exitCode: 3 } } }],
      },
    },
    shows: ["x", "0/2", "Init:ExitCode:3", "0", "5m12s"],
  },
  {
    name: "a pod being deleted",
    kind: "Pod",
    object: {
      ...pod,
      metadata: { deletionTimestamp: created },
      status: { phase: "Running", podIP: "10.1.0.9" },
    },
    wide: true,
    shows: ["x", "0/2", "Terminating", "0", "5m12s", "10.1.0.9", "<none>", "<none>", "<none>"],
  },
  {
    name: "a pod with one completed container",
    kind: "Pod",
    object: {
      ...pod,
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [
          {
            name: "a",
            ready: false,
            restartCount: 0,
            state: { terminated: { reason: "Completed", exitCode: 0 } },
          },
          { ...running, name: "b" },
        ],
      },
    },
    shows: ["x", "1/2", "Running", "0", "5m12s"],
  },
  {
    name: "a deployment",
    kind: "Deployment",
    object: {
      spec: {
        replicas: 3,
        template,
        selector: {
          matchLabels: { app: "x" },
          matchExpressions: [{ key: "a", operator: "In", values: ["2", "1"] }],
        },
      },
      status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 2 },
    },
    wide: true,
    shows: ["x", "2/3", 3, 2, "5m12s", "a,b", "i:1,j:2", "a in (1,2),app=x"],
  },
  {
    name: "a service of type NodePort",
    kind: "Service",
    object: {
      spec: {
        type: "NodePort",
        clusterIP: "172.30.0.1",
        ports: [
          { port: 80, nodePort: 30080 },
          { port: 53, protocol: "UDP" },
        ],
      },
    },
    shows: ["x", "NodePort", "172.30.0.1", "<none>", "80:30080/TCP,53/UDP", "5m12s"],
  },
  {
    name: "a load balancer without an address",
    kind: "Service",
    object: { spec: { type: "LoadBalancer", clusterIPs: ["172.30.0.2"] } },
    shows: ["x", "LoadBalancer", "172.30.0.2", "<pending>", "<none>", "5m12s"],
  },
  {
    name: "a config map counts string and binary values",
    kind: "ConfigMap",
    object: { data: { a: "" }, binaryData: { b: "" } },
    shows: ["x", 2, "5m12s"],
  },
  {
    name: "a secret",
    kind: "Secret",
    object: { type: "Opaque", data: { a: "" } },
    shows: ["x", "Opaque", 1, "5m12s"],
  },
  {
    name: "a namespace",
    kind: "Namespace",
    object: { status: { phase: "Active" } },
    shows: ["x", "Active", "5m12s"],
  },
  {
    name: "a definition shows its creation time",
    kind: "CustomResourceDefinition",
    object: {},
    shows: ["x", created],
  },
  { name: "a role shows its creation time", kind: "ClusterRole", object: {}, shows: ["x", created] },
  {
    name: "a core event",
    kind: "Event",
    object: {
      type: "Normal",
      reason: "Started",
      message: "Started it \n",
      involvedObject: { kind: "Pod", name: "p" },
      lastTimestamp: "2026-01-01T23:00:00Z",
    },
    shows: ["60m", "Normal", "Started", "pod/p", "Started it"],
  },
  {
    name: "a finished job",
    kind: "Job",
    object: {
      spec: { completions: 1 },
      status: {
        succeeded: 1,
        startTime: "2026-01-01T23:50:00Z",
        completionTime: "2026-01-01T23:50:30Z",
        conditions: [{ type: "Complete", status: "True" }],
      },
    },
    shows: ["x", "Complete", "1/1", "30s", "5m12s"],
  },
  {
    name: "an unavailable aggregated API",
    kind: "APIService",
    object: {
      spec: { service: { namespace: "openshift-apiserver", name: "api" } },
      status: { conditions: [{ type: "Available", status: "False", reason: "MissingEndpoints" }] },
    },
    shows: ["x", "openshift-apiserver/api", "False (MissingEndpoints)", "5m12s"],
  },
  {
    name: "an approved and issued certificate request",
    kind: "CertificateSigningRequest",
    object: {
      spec: { signerName: "s", username: "u" },
      status: { certificate: "x", conditions: [{ type: "Approved" }] },
    },
    shows: ["x", "5m12s", "s", "u", "<none>", "Approved,Issued"],
  },
];
