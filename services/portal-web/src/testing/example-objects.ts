import type {
  ClusterEvents,
  ClusterObject,
  ContainerLog,
  CustomKinds,
  ObjectList,
  Pods,
} from "@keelson/portal-api";

export const exampleEvents: ClusterEvents = {
  total: 2,
  events: [
    {
      namespace: "openshift-etcd",
      type: "Warning",
      reason: "BackOff",
      object: "Pod/etcd-demo-x7k2p-master-1",
      message: "Back-off restarting failed container etcd",
      count: 14,
      lastSeen: "2026-11-26T13:05:00.000Z",
    },
    {
      namespace: "openshift-monitoring",
      type: "Normal",
      reason: "Pulled",
      object: "Pod/prometheus-k8s-0",
      message: "Container image is present on the machine",
      count: 1,
      lastSeen: "2026-11-26T12:00:00.000Z",
    },
  ],
};

export const examplePods: Pods = {
  total: 2,
  pods: [
    {
      name: "etcd-demo-x7k2p-master-1",
      namespace: "openshift-etcd",
      node: "demo-x7k2p-master-1",
      phase: "Running",
      ready: "1/2",
      restarts: 14,
      createdAt: "2026-11-20T08:40:00Z",
      containers: [
        { name: "etcd", kind: "container", state: "CrashLoopBackOff", restarts: 14 },
        { name: "etcd-metrics", kind: "container", state: "Running", restarts: 0 },
        { name: "setup", kind: "init", state: "Completed", restarts: 0 },
      ],
    },
    {
      name: "prometheus-k8s-0",
      namespace: "openshift-monitoring",
      node: "demo-x7k2p-worker-1",
      phase: "Running",
      ready: "1/1",
      restarts: 0,
      createdAt: "2026-11-20T08:45:00Z",
      containers: [{ name: "prometheus", kind: "container", state: "Running", restarts: 0 }],
    },
  ],
};

export const exampleLog: ContainerLog = {
  lines: [
    '{"level":"info","msg":"starting etcd"}',
    '{"level":"warn","msg":"slow fdatasync"}',
    "␛[31mpanic: <script>alert(1)</script>␛[0m",
  ],
  truncated: true,
};

export const exampleCustomKinds: CustomKinds = {
  kinds: [{ kind: "Cluster", group: "aro.openshift.io", version: "v1alpha1", namespaced: false }],
};

export const exampleObjects: ObjectList = {
  kind: "ConfigMap",
  group: "",
  namespaced: true,
  total: 1,
  objects: [{ name: "cluster-config", namespace: "openshift-etcd", createdAt: "2026-11-20T08:40:00Z" }],
};

export const exampleObject: ClusterObject = {
  object: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "cluster-config", namespace: "openshift-etcd" },
    data: { "config.yaml": "a: <b>1</b>\nb: 2\n" },
  },
};
