import { CloudError } from "@keelson/arm";
import { listAt, stringAt } from "@keelson/base";
import { conditionStatus, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { machineNamespace, machineRole, replicasOf, workerMachineSets } from "../live/worker-profiles.ts";

export interface Workers {
  readonly machines: readonly KubeObject[];
  readonly nodes: readonly KubeObject[];
}

const machineFields = objectFields({
  status: { phase: true, errorMessage: true, providerStatus: { conditions: { message: true } } },
});
const nodeFields = objectFields({ status: { conditions: { type: true, status: true } } });

export async function workersOf({ kube, signal }: ClusterContext): Promise<Workers> {
  const [machines, nodes] = await Promise.all([
    kube().list(
      resources.machines,
      { namespace: machineNamespace, labelSelector: `${machineRole}=worker`, fields: machineFields },
      signal,
    ),
    kube().list(
      resources.nodes,
      { labelSelector: "node-role.kubernetes.io/worker", fields: nodeFields },
      signal,
    ),
  ]);
  return { machines: machines.items, nodes: nodes.items };
}

/**
 * Throws if a machine failed because of the quota.
 * @throws CloudError QuotaExceeded
 */
export function failOnQuota(machines: readonly KubeObject[]): void {
  const texts = machines
    .filter(hasFailed)
    .flatMap((each) => [
      stringAt(each, "status", "errorMessage") ?? "",
      ...listAt(each, "status", "providerStatus", "conditions").map((one) => stringAt(one, "message") ?? ""),
    ]);
  const message = texts.find((text) => /quota|sku|NotAvailableForSubscription/i.test(text));
  if (message === undefined) return;
  throw new CloudError("QuotaExceeded", message, {
    status: 500,
    target: "properties.workerProfiles[0].VMSize",
  });
}

export function isRunning(machine: KubeObject): boolean {
  return stringAt(machine, "status", "phase") === "Running";
}

export function hasFailed(machine: KubeObject): boolean {
  return stringAt(machine, "status", "phase") === "Failed";
}

export function isReady(node: KubeObject): boolean {
  return conditionStatus(node, "Ready") === "True";
}

/** True if exactly the wanted number of workers is running. */
export function isComplete(wanted: number, { machines, nodes }: Workers): boolean {
  const allRun = machines.length === wanted && machines.every(isRunning);
  return allRun && nodes.length === wanted && nodes.every(isReady);
}

/** Returns the total number of workers that the MachineSets request. */
export async function wantedWorkers({ kube, signal }: ClusterContext): Promise<number> {
  return (await workerMachineSets(kube(), signal)).reduce((sum, set) => sum + replicasOf(set), 0);
}
