import type { IncomingMessage, ServerResponse } from "node:http";

/** Number of objects per resource, by plural name. */
export interface LargeCluster {
  readonly nodes: number;
  readonly pods: number;
  readonly machines: number;
  readonly machinesets: number;
  readonly clusteroperators: number;
}

/** Returns the size of the largest supported cluster, multiplied by `times`. */
export function largestCluster(times: number): LargeCluster {
  return {
    nodes: 250 * times,
    pods: 12_500 * times,
    machines: 1_000 * times,
    machinesets: 1_000 * times,
    clusteroperators: 40 * times,
  };
}

/**
 * Returns the request handler of a fake API server with generated objects. It serves lists in pages and single objects by name.
 */
export function largeCluster(size: LargeCluster) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "https://cluster");
    const segments = pathname.split("/");
    const plural = segments.findLast((each): each is keyof LargeCluster => Object.hasOwn(objectOf, each));
    response.setHeader("content-type", "application/json");
    if (plural === undefined) {
      response.end(
        '{"kind":"List","apiVersion":"v1","metadata":{"name":"version","resourceVersion":"1"},"items":[]}',
      );
      return;
    }
    const start = Number(searchParams.get("continue") ?? 0);
    const end = Math.min(size[plural], start + Number(searchParams.get("limit") ?? size[plural]));
    const template = JSON.stringify(objectOf[plural]);
    const items = Array.from({ length: end - start }, (_, at) =>
      template.replaceAll("NAME", `${plural}-${start + at}`),
    );
    const metadata = { resourceVersion: "1", ...(end < size[plural] ? { continue: `${end}` } : {}) };
    response.end(
      `{"kind":"List","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[${items.join(",")}]}`,
    );
  };
}

/** Managed fields of every object, with a realistic number of entries. */
const managedFields = ["kubelet", "kube-controller-manager"].map((manager) => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:status": Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`f:field${at}`, { ".": {}, "f:value": {} }]),
    ),
  },
}));

const metadata = {
  name: "NAME",
  namespace: "openshift-example",
  uid: "01234567-89ab-cdef-0123-456789abcdef",
  resourceVersion: "123456789",
  creationTimestamp: "2026-01-01T00:00:00Z",
  labels: Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`example.openshift.io/label-${at}`, "value"]),
  ),
  annotations: {
    "machine.openshift.io/machine": "openshift-machine-api/NAME",
    "example.openshift.io/note": "x".repeat(300),
  },
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "NAME", uid: "u", controller: true }],
  managedFields,
};

const conditions = ["Ready", "Available", "Progressing", "Degraded", "Initialized", "PodScheduled"].map(
  (type) => ({
    type,
    status: "True",
    reason: "AsExpected",
    message: "The component is as expected.",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }),
);

const container = (name: string) => ({
  name,
  image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${"a".repeat(64)}`,
  env: Array.from({ length: 15 }, (_, at) => ({ name: `VARIABLE_${at}`, value: "a value of usual length" })),
  resources: { requests: { cpu: "10m", memory: "50Mi" } },
  volumeMounts: Array.from({ length: 5 }, (_, at) => ({ name: `volume-${at}`, mountPath: `/var/run/${at}` })),
});

const providerSpec = {
  value: {
    vmSize: "Standard_D8s_v5",
    subnet: "worker",
    vnet: "vnet",
    networkResourceGroup: "network",
    osDisk: { diskSizeGB: 128, managedDisk: { storageAccountType: "Premium_LRS" } },
  },
};

const machineTemplate = { metadata: { labels: metadata.labels }, spec: { providerSpec } };

const objectOf: Readonly<Record<keyof LargeCluster, object>> = {
  nodes: {
    metadata,
    spec: { providerID: "azure:///NAME", taints: [{ key: "k", effect: "NoSchedule" }] },
    status: {
      conditions,
      capacity: { cpu: "8", memory: "32Gi", pods: "250" },
      nodeInfo: { kubeletVersion: "v1.33.0" },
      images: Array.from({ length: 50 }, (_, at) => ({
        names: [`quay.io/image@sha256:${"b".repeat(64)}`, `quay.io/image:${at}`],
        sizeBytes: 123_456_789,
      })),
    },
  },
  pods: {
    metadata,
    spec: { nodeName: "node-1", containers: ["a", "b", "c"].map(container) },
    status: {
      phase: "Running",
      conditions,
      containerStatuses: ["a", "b", "c"].map((name) => ({
        name,
        ready: true,
        restartCount: 1,
        state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
        image: container(name).image,
      })),
    },
  },
  machines: { metadata, spec: { providerSpec }, status: { phase: "Running", conditions } },
  machinesets: { metadata, spec: { replicas: 1, template: machineTemplate }, status: { replicas: 1 } },
  clusteroperators: { metadata, status: { conditions, versions: [{ name: "operator", version: "4.19.2" }] } },
};
