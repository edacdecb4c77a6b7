import { listAt, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { buildId, type SimulatedCluster } from "../simulated-cluster.ts";
import { type Figure, fault, type Illness } from "./illness.ts";

const version = { name: "version" };

/** Starts an update to a version that cannot be loaded, so that the cluster keeps its version. */
const rejectedUpdate: NonNullable<Illness["begin"]> = async (cluster) => {
  const clear = await fault("release-rejected", { version: "5.0.0" })(cluster);
  const ask = (desiredUpdate: object | null) =>
    cluster.kube.mergePatch(resources.clusterVersions, version, { spec: { desiredUpdate } }, cluster.signal);
  await ask({ version: "5.0.0" });
  return async () => {
    await ask(null);
    await clear();
  };
};

const condition = (type: string, status: string): Figure => [
  "clusterversion.conditions",
  1,
  { status, type },
];

const versions = (desiredVersion: string): Figure => [
  "cluster.versions",
  1,
  {
    actualVersion: "4.19.24",
    actualMinorVersion: "4.19",
    desiredVersion,
    provisionedByResourceProviderVersion: "",
    resourceProviderVersion: buildId,
    operatorVersion: "op-1",
    availableRP: buildId,
  },
];

const summary = (desiredVersion: string): Figure => [
  "cluster.summary",
  1,
  {
    actualVersion: "4.19.24",
    actualMinorVersion: "4.19",
    desiredVersion,
    masterCount: "3",
    workerCount: "3",
    provisioningState: "Succeeded",
    createdAt: "2026-01-01 00:00:00 +0000 UTC",
  },
];

async function operators({ kube, signal }: SimulatedCluster) {
  return (await kube.list(resources.clusterOperators, {}, signal)).items;
}

export const platformIllnesses: readonly Illness[] = [
  {
    collector: "emitClusterOperatorConditions",
    title: "acceptance 6: a ClusterOperator that is degraded, whose number stays",
    begin: fault("operator-degraded", { operator: "dns" }),
    well: [["clusteroperator.count", 34, {}]],
    ill: [
      ["clusteroperator.conditions", 1, { name: "dns", status: "True", type: "Degraded" }],
      ["clusteroperator.count", 34, {}],
    ],
  },
  {
    collector: "emitClusterVersionConditions",
    title: "an update whose release cannot be loaded",
    begin: rejectedUpdate,
    well: [
      condition("Failing", "False"),
      condition("ImplicitlyEnabledCapabilities", "False"),
      condition("ReleaseAccepted", "True"),
      condition("RetrievedUpdates", "True"),
    ],
    ill: [
      condition("Failing", "False"),
      condition("ImplicitlyEnabledCapabilities", "False"),
      condition("ReleaseAccepted", "False"),
      condition("RetrievedUpdates", "True"),
    ],
  },
  {
    collector: "emitOpenShift5Versions",
    title: "a cluster that is asked to be OpenShift 5",
    begin: rejectedUpdate,
    well: [],
    ill: [["cluster.openshift5.versions", 1, { actualVersion: "", desiredVersion: "5.0.0" }]],
  },
  {
    collector: "emitClusterVersions",
    title: "a cluster that is not what it is asked to be",
    begin: rejectedUpdate,
    well: [versions("4.19.24")],
    ill: [versions("5.0.0")],
  },
  {
    collector: "emitSummary",
    title: "a cluster that is not what it is asked to be",
    begin: rejectedUpdate,
    well: [summary("4.19.24")],
    ill: [summary("5.0.0")],
  },
  {
    collector: "emitClusterOperatorVersions",
    title: "operators that are behind what the cluster is asked to be",
    begin: rejectedUpdate,
    well: [],
    ill: async (cluster) =>
      (await operators(cluster)).flatMap((operator) =>
        listAt(operator, "status", "versions")
          .filter((each) => stringAt(each, "name") === "operator")
          .map(
            (): Figure => [
              "clusteroperator.versions",
              1,
              { name: operator.metadata.name, version: "4.19.24" },
            ],
          ),
      ),
  },
  {
    collector: "emitNetworkMTU",
    title: "a network with frames that Azure cuts",
    async begin({ kube, signal }) {
      const set = (clusterNetworkMTU: number) =>
        kube.mergePatch(
          resources.configNetworks,
          { name: "cluster" },
          { status: { clusterNetworkMTU } },
          signal,
        );
      await set(8900);
      return () => set(1400);
    },
    well: [["network.mtu", 1, { mtu: "1400", network_type: "OVNKubernetes" }]],
    ill: [["network.mtu", 1, { mtu: "8900", network_type: "OVNKubernetes" }]],
  },
  {
    collector: "emitCWPStatus",
    title: "a proxy whose exceptions lack the cluster's own",
    async begin({ kube, signal }) {
      const set = (proxy: object | null, status: object | null) => async () => {
        await kube.mergePatch(resources.proxies, { name: "cluster" }, { spec: proxy }, signal);
        await kube.mergePatch(resources.proxies, { name: "cluster" }, { status }, signal, "status");
      };
      const noProxy = "localhost,127.0.0.1,.svc,.cluster.local,169.254.169.254,10.0.0.0/23";
      await set({ httpProxy: "http://proxy.example:3128", noProxy }, { noProxy })();
      return set({ httpProxy: null, noProxy: null }, { noProxy: null });
    },
    well: [["clusterWideProxy.status", 1, { status: "false", Message: "CWP Not Enabled" }]],
    ill: [
      [
        "clusterWideProxy.status",
        1,
        {
          status: "true",
          Message:
            "CWP enabled but missing  168.63.129.16,10.0.16.0/20,10.128.0.0/14,172.30.0.0/16,demo.eastus.keelson.localhost,api-int.demo.eastus.keelson.localhost,api.demo.eastus.keelson.localhost in the no_proxy list",
        },
      ],
    ],
  },
];
