import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { type Figure, fault, type Illness } from "./illness.ts";

const machineSet = "demo-x7k2p-worker-eastus1";
const machineApi = "openshift-machine-api";
const ofWorker = { role: "worker", machineset: machineSet, spotInstance: "false" };
const ofMaster = { role: "master", machineset: "", spotInstance: "false" };

async function phases(cluster: SimulatedCluster): Promise<readonly Figure[]> {
  const { masters, workers } = await cluster.names();
  const phase = (machineName: string, of: typeof ofWorker): Figure => [
    "machine.phase",
    1,
    { machineName, phase: "Running", ...of },
  ];
  return [
    ...masters.map((name) => phase(name, ofMaster)),
    ...workers.map((name) => phase(name, ofWorker)),
    ["machine.count", masters.length + workers.length, {}],
  ];
}

async function kubelets(cluster: SimulatedCluster): Promise<readonly Figure[]> {
  const { masters, workers } = await cluster.names();
  const version =
    (role: string) =>
    (nodeName: string): Figure => ["node.kubelet.version", 1, { nodeName, role, kubeletVersion: "v1.32.9" }];
  return [
    ...masters.map(version("master")),
    ...workers.map(version("worker")),
    ["node.count", 3, { role: "master" }],
    ["node.count", 3, { role: "worker" }],
    ["node.count", 0, { role: "infra" }],
  ];
}

const scale = (cluster: SimulatedCluster, replicas: number) =>
  cluster.kube.mergePatch(
    resources.machineSets,
    { namespace: machineApi, name: machineSet },
    { spec: { replicas } },
    cluster.signal,
  );

async function nameOfFailed({ kube, signal }: SimulatedCluster): Promise<string> {
  const { items } = await kube.list(resources.machines, { namespace: machineApi }, signal);
  return items.find((machine) => stringAt(machine, "status", "phase") === "Failed")?.metadata.name ?? "none";
}

export const machineIllnesses: readonly Illness[] = [
  {
    collector: "emitMachineConditions",
    title: "a machine that Azure has no place for",
    async begin(cluster) {
      const clear = await fault("machine-create", { machineSet, reason: "InsufficientResources" })(cluster);
      await scale(cluster, 4);
      return async () => {
        await scale(cluster, 3);
        await clear();
      };
    },
    well: phases,
    ill: async (cluster) => {
      const failed = await nameOfFailed(cluster);
      return (await phases(cluster)).map(([metric, value, dimensions]) => [
        metric,
        value,
        dimensions.machineName === failed ? { ...dimensions, phase: "Failed" } : dimensions,
      ]);
    },
  },
  {
    collector: "emitNodeConditions",
    title: "a node whose kubelet is silent",
    begin: async (cluster) => {
      const {
        workers: [node = ""],
      } = await cluster.names();
      return fault("node-not-ready", { node })(cluster);
    },
    well: kubelets,
    ill: async (cluster) => {
      const {
        workers: [nodeName = ""],
      } = await cluster.names();
      return [
        ...["DiskPressure", "MemoryPressure", "PIDPressure", "Ready"].map(
          (type): Figure => ["node.conditions", 1, { nodeName, status: "Unknown", type, ...ofWorker }],
        ),
        ...(await kubelets(cluster)),
      ];
    },
  },
  {
    collector: "emitMachineConfigPoolConditions",
    title: "a configuration that a node cannot take",
    async begin(cluster) {
      const {
        workers: [node = ""],
      } = await cluster.names();
      const clear = await fault("config-error", { node, message: "no space left" })(cluster);
      const metadata = {
        name: "99-worker-motd",
        labels: { "machineconfiguration.openshift.io/role": "worker" },
      };
      const files = [{ path: "/etc/motd", mode: 420, contents: { source: "data:,hello" } }];
      const config = { ignition: { version: "3.2.0" }, storage: { files } };
      await cluster.put(resources.machineConfigs, { metadata, spec: { config } });
      return async () => {
        await clear();
        await cluster.kube.delete(resources.machineConfigs, { name: metadata.name }, cluster.signal);
      };
    },
    well: [["machineconfigpool.count", 2, {}]],
    ill: [
      ["machineconfigpool.conditions", 1, { name: "worker", status: "True", type: "Degraded" }],
      ["machineconfigpool.conditions", 1, { name: "worker", status: "True", type: "NodeDegraded" }],
      ["machineconfigpool.conditions", 1, { name: "worker", status: "False", type: "Updated" }],
      ["machineconfigpool.conditions", 1, { name: "worker", status: "True", type: "Updating" }],
      ["machineconfigpool.count", 2, {}],
    ],
  },
  {
    collector: "emitMachineConfigPoolUnmanagedNodeCounts",
    title: "a node that no pool manages",
    async begin(cluster) {
      const {
        workers: [name = ""],
      } = await cluster.names();
      const label = (value: string | null) =>
        cluster.kube.mergePatch(
          resources.nodes,
          { name },
          { metadata: { labels: { "node-role.kubernetes.io/worker": value } } },
          cluster.signal,
        );
      await label(null);
      return () => label("");
    },
    well: [],
    ill: [["machineconfigpool.unmanagednodescount", 1, {}]],
  },
];
