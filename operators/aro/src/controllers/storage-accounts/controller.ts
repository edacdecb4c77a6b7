import { resourceNameOf } from "@keelson/arm";
import { isFlagOn, singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { named, TerminalError, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { clusterSubnets, subnetPermissions, subnetWatches } from "../../azure/cluster-subnets.ts";
import { subnetOwnership } from "../../azure/subnet-ownership.ts";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { accountIds } from "./account-ids.ts";
import { planNetworkRules, reachesStorage } from "./network-rules.ts";

/** Resync interval in ms. The controller polls, because Azure does not notify it of storage account changes. */
const resyncMs = 15 * 60_000;
/**
 * Retry interval in ms while a subnet waits for its endpoint. The controller AzureSubnets requests the endpoint and Azure adds
 * it.
 */
const endpointMs = 60_000;

const { imageRegistryConfigs } = resources;

/** Adds the service's and the cluster's subnets to the network rules of the cluster's storage accounts. */
export const storageAccounts: RegisteredController = {
  name: "StorageAccounts",
  flag: "aro.storageaccounts.enabled",
  flags: { "aro.storageaccounts.enabled": switchedOn },
  documentation: {
    purpose:
      "Adds network rules to the storage accounts of the cluster and of its image registry. The rules allow the service's subnets, and the cluster's subnets with a storage service endpoint. Never removes rules.",
    improvement:
      "If one account fails, the other account is still repaired. Accepts accounts without rules. Reliably runs every 15 minutes.",
  },
  watches: [
    ...subnetWatches,
    watchFor(imageRegistryConfigs, singleton, {
      selection: { fieldSelector: "metadata.name=cluster" },
      where: named("cluster"),
    }),
  ],
  resyncMs,
  permissions: [...subnetPermissions, may(reading, "imageregistry.operator.openshift.io", ["configs"])],
  async reconcile(request) {
    const { azure, cluster, objects, signal } = request;
    const own = await subnetsWithStorage(request);
    const subnetIds = [...(cluster.spec?.serviceSubnets ?? []), ...own.ids];
    const registry = await objects.find(imageRegistryConfigs, { name: "cluster" });
    const { ids, faults } = accountIds(cluster, registry);
    const failures = [...own.failures];
    for (const id of ids) {
      try {
        const account = await azure.find(id);
        if (!account) throw new Error(`the storage account ${resourceNameOf(id)} does not exist`);
        const body = planNetworkRules(account, subnetIds);
        const fields = ["properties.networkAcls.virtualNetworkRules"];
        if (body) await azure.write(id, { method: "PATCH", body, fields });
      } catch (error) {
        signal.throwIfAborted();
        failures.push(messageOf(error));
      }
    }
    if (failures.length > 0) throw new Error([...faults, ...failures].join("\n"));
    // Only a change of cluster objects can fix these faults, so a retry would not help.
    if (faults.length > 0) throw new TerminalError(faults.join("\n"));
    return own.isComplete ? done : { requeueAfterMs: endpointMs };
  },
};

/** Returns the cluster's subnets that have a storage endpoint. `isComplete` is false while Azure is adding further endpoints. */
async function subnetsWithStorage({ azure, cache, cluster, flags, signal }: Request) {
  const { spec = {} } = cluster;
  const ids: string[] = [];
  const failures: string[] = [];
  let isComplete = true;
  const getsEndpoints =
    !spec.gatewayDomains?.length &&
    isFlagOn(flags, "aro.azuresubnets.enabled") &&
    isFlagOn(flags, "aro.azuresubnets.serviceendpoint.managed");
  for (const { id } of clusterSubnets(cluster, cache).subnets) {
    try {
      const subnet = await azure.find(id);
      if (!subnet || subnetOwnership(cluster, id, subnet) === "none") continue;
      if (reachesStorage(subnet, spec.location ?? "")) ids.push(id);
      else if (getsEndpoints) isComplete = false;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(messageOf(error));
    }
  }
  return { ids, isComplete, failures };
}
