import type { ClusterOperators, MachineSets, Machines, Nodes, Statistics } from "@keelson/portal-api";

const created = "2026-11-20T08:41:03Z";
const roles = ["master", "master", "master", "worker", "worker", "worker"];
const names = roles.map((role, at) =>
  role === "master" ? `demo-x7k2p-master-${at}` : `demo-x7k2p-worker-westeurope${at - 2}-b4n8d`,
);

export const exampleNodes: Nodes = {
  nodes: names.map((name, at) => ({
    name,
    createdTime: created,
    unschedulable: at === 5,
    instanceType: at < 3 ? "Standard_D8s_v5" : "Standard_D4s_v5",
    capacity: { cpu: at < 3 ? "8" : "4", storageVolume: "133682156Ki", memory: "32848476Ki", pods: "250" },
    allocatable: {
      cpu: at < 3 ? "7500m" : "3500m",
      storageVolume: "123201474766",
      memory: "31697500Ki",
      pods: "250",
    },
    volumes: at === 3 ? [{ name: "kubernetes.io/csi/disk.csi.azure.com^pvc-1", path: "" }] : [],
    taints:
      at < 3
        ? [{ key: "node-role.kubernetes.io/master", value: "", effect: "NoSchedule", timeAdded: "" }]
        : [],
    conditions: [
      condition(
        "MemoryPressure",
        "False",
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available",
      ),
      condition(
        "DiskPressure",
        at === 4 ? "True" : "False",
        "KubeletHasNoDiskPressure",
        "kubelet has no disk pressure",
      ),
      condition("Ready", at === 5 ? "False" : "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    labels: {
      "kubernetes.io/hostname": name,
      [`node-role.kubernetes.io/${at < 3 ? "master" : "worker"}`]: "",
      "topology.kubernetes.io/zone": `westeurope-${(at % 3) + 1}`,
    },
    annotations: { "machineconfiguration.openshift.io/state": "Done" },
    roles: [at < 3 ? "master" : "worker"],
    zone: `westeurope-${(at % 3) + 1}`,
    kubeletVersion: "v1.32.7",
    osImage: "Red Hat Enterprise Linux CoreOS 9.6",
    internalIp: `10.0.${at < 3 ? 0 : 2}.${at + 5}`,
    ...(at === 5 ? {} : { usage: { cpuPercent: 10 + at, memoryPercent: 40 + at } }),
  })),
};

function condition(type: string, status: string, reason: string, message: string) {
  return {
    type,
    status,
    lastHeartbeatTime: "2026-11-27T01:00:00Z",
    lastTransitionTime: created,
    reason,
    message,
  };
}

export const exampleMachines: Machines = {
  machines: names.map((name, at) => ({
    name,
    createdTime: created,
    lastUpdated: "2026-11-26T14:02:10Z",
    errorReason: at === 5 ? "InvalidConfiguration" : "None",
    errorMessage: at === 5 ? "failed to reconcile machine: the VM was not found" : "None",
    lastOperation: "Update",
    lastOperationDate: "2026-11-26T14:02:10Z",
    status: at === 5 ? "Failed" : "Running",
  })),
};

export const exampleMachineSets: MachineSets = {
  machines: [1, 2, 3].map((zone) => ({
    name: `demo-x7k2p-worker-westeurope${zone}`,
    type: "worker",
    createdAt: created,
    createdat: created,
    desiredReplicas: 1,
    desiredreplicas: 1,
    replicas: zone === 3 ? 0 : 1,
    errorReason: "None",
    errorreason: "None",
    errorMessage: "None",
    errormessage: "None",
    publicLoadBalancerName: "demo-x7k2p",
    publicloadbalancername: "demo-x7k2p",
    vmSize: "Standard_D4s_v5",
    vmsize: "Standard_D4s_v5",
    accountStorageType: "Premium_LRS",
    accountstoragetype: "Premium_LRS",
    subnet: "worker",
    vnet: "demo-vnet",
  })),
};

export const exampleClusterOperators: ClusterOperators = {
  operators: [
    "authentication",
    "dns",
    "etcd",
    "image-registry",
    "ingress",
    "kube-apiserver",
    "monitoring",
  ].map((name) => {
    const isDegraded = name === "monitoring";
    return {
      name,
      available: name === "dns" ? "Unknown" : "True",
      progressing: name === "kube-apiserver" ? "True" : "False",
      degraded: isDegraded ? "True" : "False",
      conditions: ["Available", "Progressing", "Degraded", "Upgradeable"].map((type) => ({
        type,
        status:
          type === "Available" || type === "Upgradeable" || (type === "Degraded" && isDegraded)
            ? "True"
            : "False",
        reason: isDegraded && type === "Degraded" ? "UpdatingPrometheusFailed" : "AsExpected",
        message:
          isDegraded && type === "Degraded" ? "waiting for StatefulSet prometheus-k8s: 1 of 2 replicas" : "",
        lastUpdated: created,
      })),
    };
  }),
};

/** Returns example series with rising and falling values over the requested hours. */
export function exampleStatistics(type: string, endMs: number, lengthMs: number): Statistics {
  const scale = type.endsWith("memory") ? 1.6e9 : type.endsWith("codes") ? 12 : 0.4;
  const stepMs = Math.max(120_000, lengthMs / 400);
  const count = Math.floor(lengthMs / stepMs) + 1;
  return ["demo-x7k2p-master-0", "demo-x7k2p-master-1", "demo-x7k2p-master-2"].map((metricname, line) => ({
    metricname,
    metricvalue: Array.from({ length: count }, (_, at) => ({
      timestamp: new Date(endMs - (count - 1 - at) * stepMs).toISOString(),
      value: scale * (0.6 + 0.15 * line + 0.2 * Math.sin(at / 5 + line) + 0.05 * Math.sin(at * 1.7)),
    })),
  }));
}

/** Returns the data of a Prometheus response. It contains two targets, and both are up. */
export function examplePrometheus(api: string, search: URLSearchParams): object {
  const metrics = ["apiserver", "kubelet"].map((job) => ({ __name__: "up", job }));
  if (api === "query") {
    const seconds = Date.parse(search.get("time") ?? "") / 1_000;
    return { resultType: "vector", result: metrics.map((metric) => ({ metric, value: [seconds, "1"] })) };
  }
  const [start = 0, end = 0] = ["start", "end"].map((name) => Date.parse(search.get(name) ?? "") / 1_000);
  const step = Number(search.get("step"));
  const values = Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, at) => [
    start + at * step,
    `${at % 2}`,
  ]);
  return { resultType: "matrix", result: metrics.map((metric) => ({ metric, values })) };
}
