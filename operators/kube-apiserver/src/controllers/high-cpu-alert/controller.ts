import { listAt, stringAt, valueAt } from "@keelson/base";
import { done, watchFor } from "@keelson/controller";
import { isKubeNotFound, type KubeApi, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { masterLabel, masters, operatorKey, watchMasters } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { severalMastersCpuAlerts, singleMasterCpuAlerts } from "./cpu-alerts.ts";
import { cpusIn } from "./cpu-set.ts";

/** PerformanceProfile of the node tuning operator. Clusters may run without this operator. */
const performanceProfiles: KubeResource = {
  group: "performance.openshift.io",
  version: "v2",
  plural: "performanceprofiles",
  kind: "PerformanceProfile",
  namespaced: false,
};
const clusterVersion = { name: "version" };
/** Number of CPUs that is assumed if the actual number is unknown. */
const defaultCpus = 8;

/** Applies the CPU alerts for the control plane. With a single master, the alerts depend on its number of CPUs. */
export const highCpuAlert = kubeApiServerController({
  name: "HighCPUUsageAlertController",
  degraded: { type: "HighCPUUsageAlertControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  watches: [
    ...inputWatches([clusterInput(resources.infrastructures)]),
    watchFor(resources.clusterVersions, operatorKey, {
      selection: { fieldSelector: `metadata.name=${clusterVersion.name}` },
      where: ({ type, object, before }) =>
        type !== "updated" || hasNodeTuning(object) !== hasNodeTuning(before),
    }),
    watchFor(resources.prometheusRules, operatorKey, { selection: { namespace: namespaces.target } }),
    watchMasters(cpuCapacity),
  ],
  // Profiles are not watched, because their kind may be installed later.
  resyncMs: 600_000,
  async reconcile({ parts: { api, cache }, objects, signal }) {
    const infrastructure = cache.known(resources.infrastructures, singleton)?.object;
    // Waits for the Infrastructure object, because the alerts depend on the cluster's topology.
    if (!infrastructure) return done;
    if (stringAt(infrastructure, "status", "infrastructureTopology") !== "SingleReplica") {
      await objects.ensure(resources.prometheusRules, severalMastersCpuAlerts);
      return done;
    }
    const isPartitioned =
      stringAt(infrastructure, "status", "cpuPartitioning") === "AllNodes" &&
      hasNodeTuning(cache.known(resources.clusterVersions, clusterVersion)?.object);
    const reserved = isPartitioned ? await reservedCpus(api, signal) : undefined;
    const cpus = reserved ?? (isPartitioned ? undefined : cpuCapacity(masters(cache)[0])) ?? defaultCpus;
    await objects.ensure(resources.prometheusRules, singleMasterCpuAlerts(cpus));
    return done;
  },
});

function hasNodeTuning(version: KubeObject | undefined): boolean {
  return listAt(version, "status", "capabilities", "enabledCapabilities").includes("NodeTuning");
}

/**
 * Returns the number of CPUs that the first profile of masters reserves for the platform. Undefined if there is no such profile.
 */
async function reservedCpus(api: KubeApi, signal: AbortSignal): Promise<number | undefined> {
  const profiles = await api.list(performanceProfiles, {}, signal).catch((error: unknown) => {
    if (isKubeNotFound(error)) return { items: [] };
    throw error;
  });
  for (const profile of profiles.items) {
    const selector = valueAt(profile, "spec", "nodeSelector");
    const reserved = stringAt(profile, "spec", "cpu", "reserved");
    const isOfMasters = typeof selector === "object" && selector !== null && masterLabel in selector;
    if (isOfMasters && reserved !== undefined) return cpusIn(reserved) || undefined;
  }
  return undefined;
}

/** Returns the number of whole CPUs of a node. `undefined` until the node's kubelet has reported its capacity. */
function cpuCapacity(node: KubeObject | undefined): number | undefined {
  const text = stringAt(node, "status", "capacity", "cpu") ?? "";
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}
