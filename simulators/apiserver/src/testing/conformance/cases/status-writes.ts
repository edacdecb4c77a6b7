import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { all, type ConformanceCase } from "../case.ts";
import { get, mergePatch, post, put } from "../requests.ts";

type Fields = Readonly<Record<string, unknown>>;

const selector = { matchLabels: { a: "b" } };
const podSpec = { containers: [{ name: "c", image: "i" }] };
const template = { metadata: { labels: { a: "b" } }, spec: podSpec };
const scaled = { selector, template, replicas: 0 };

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly clusterScoped?: boolean;
  readonly spec: Fields;
  /** Metadata that a status write of this kind can change. Possible values: labels, annotations, finalizers. */
  readonly changes: readonly string[];
  /** Invalid statuses with the expected error causes. */
  readonly wrongs: readonly (readonly [status: Fields, ...causes: readonly string[]])[];
}

const anyMetadata = ["labels", "annotations", "finalizers"];
const aboveReplicas = "cannot be greater than status.replicas";
const negative = "must be greater than or equal to 0";

const kinds: readonly Kind[] = [
  {
    apiVersion: "v1",
    kind: "Service",
    plural: "services",
    spec: { ports: [{ port: 80 }] },
    changes: anyMetadata,
    wrongs: [],
  },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    spec: { selector: { a: "b" }, template, replicas: 0 },
    changes: anyMetadata,
    wrongs: [
      [{ replicas: 1, readyReplicas: 2 }, `status.readyReplicas: Invalid value: 2: ${aboveReplicas}`],
      [
        { replicas: -1 },
        `status.replicas: Invalid value: -1: ${negative}`,
        `status.fullyLabeledReplicas: Invalid value: 0: ${aboveReplicas}`,
        `status.readyReplicas: Invalid value: 0: ${aboveReplicas}`,
        `status.availableReplicas: Invalid value: 0: ${aboveReplicas}`,
      ],
    ],
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    plural: "deployments",
    spec: scaled,
    changes: ["annotations", "finalizers"],
    wrongs: [
      [{ replicas: 1, updatedReplicas: 2 }, `status.updatedReplicas: Invalid value: 2: ${aboveReplicas}`],
      [
        { replicas: 2, availableReplicas: 3 },
        `status.availableReplicas: Invalid value: 3: ${aboveReplicas}`,
        "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
      ],
      [
        { replicas: -1, updatedReplicas: -1, readyReplicas: -1, availableReplicas: -1, collisionCount: -1 },
        `status.replicas: Invalid value: -1: ${negative}`,
        `status.updatedReplicas: Invalid value: -1: ${negative}`,
        `status.readyReplicas: Invalid value: -1: ${negative}`,
        `status.availableReplicas: Invalid value: -1: ${negative}`,
        `status.collisionCount: Invalid value: -1: ${negative}`,
      ],
    ],
  },
  {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    plural: "replicasets",
    spec: scaled,
    changes: anyMetadata,
    wrongs: [
      [
        { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
        "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
      ],
    ],
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    plural: "statefulsets",
    spec: { ...scaled, serviceName: "s" },
    changes: anyMetadata,
    wrongs: [
      [{ replicas: 1, currentReplicas: 2 }, `status.currentReplicas: Invalid value: 2: ${aboveReplicas}`],
      [
        { replicas: 3, readyReplicas: 1, availableReplicas: 2 },
        "status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas",
      ],
    ],
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    plural: "jobs",
    spec: { suspend: true, template: { spec: { ...podSpec, restartPolicy: "Never" } } },
    changes: anyMetadata,
    wrongs: [
      [{ active: -1 }, `status.active: Invalid value: -1: ${negative}`],
      [{ active: 1, ready: 2 }, "status.ready: Invalid value: 2: cannot set more ready pods than active"],
    ],
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    spec: { minAvailable: 1, selector },
    changes: anyMetadata,
    wrongs: [
      [
        { disruptionsAllowed: -1, currentHealthy: 0, desiredHealthy: 0, expectedPods: -1 },
        `status.disruptionsAllowed: Invalid value: -1: ${negative}`,
        `status.expectedPods: Invalid value: -1: ${negative}`,
      ],
    ],
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "FlowSchema",
    plural: "flowschemas",
    clusterScoped: true,
    spec: { priorityLevelConfiguration: { name: "exempt" } },
    changes: [],
    wrongs: [],
  },
  {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    plural: "apiservices",
    clusterScoped: true,
    spec: { group: "status.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 100 },
    changes: [],
    wrongs: [],
  },
];

/** Conformance cases for writes to the `status` subresource of built-in kinds. */
export const statusWriteCases: readonly ConformanceCase[] = kinds.map((each) => ({
  name: `effect and validation of a status write of a ${each.kind}`,
  async run(api) {
    const { apiVersion, kind, plural, spec, changes, wrongs } = each;
    const name = kind === "APIService" ? "v1.status.example.com" : `${api.namespace}-status`;
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const collection = `${root}${each.clusterScoped ? "" : `/namespaces/${api.namespace}`}/${plural}`;
    const path = `${collection}/${name}`;
    await all(api, [post(collection, { apiVersion, kind, metadata: { name }, spec })]);
    const metadata = {
      labels: { written: "1" },
      annotations: { written: "1" },
      finalizers: ["example.com/written"],
    };
    const written = await all(api, [mergePatch(`${path}/status`, { metadata })]);
    const has = (member: string) =>
      JSON.stringify(valueAt(written, "metadata", member) ?? "").includes("written");
    assert.deepEqual(anyMetadata.filter(has), changes);
    for (const [status, ...causes] of wrongs) {
      const { body } = await api.call(get(path));
      const response = await api.call(put(`${path}/status`, { ...objectAt(body), status }));
      assert.equal(response.status, 422, response.text);
      const found = listAt(response.body, "details", "causes").map(
        (cause) => `${scalarStringAt(cause, "field")}: ${scalarStringAt(cause, "message")}`,
      );
      assert.deepEqual(found, causes);
    }
    await all(api, [mergePatch(path, { metadata: { finalizers: null } }), { method: "DELETE", path }]);
  },
}));
