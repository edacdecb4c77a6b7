import { resourceNameOf } from "@keelson/arm";
import { clusters, isFlagOn, singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { TerminalError } from "@keelson/controller";
import { resources } from "@keelson/kube";
import {
  type ClusterSubnet,
  clusterSubnets,
  machinesIn,
  missingGroup,
  subnetPermissions,
  subnetWatches,
} from "../../azure/cluster-subnets.ts";
import { isInManagedGroup, subnetOwnership } from "../../azure/subnet-ownership.ts";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { securityGroupId } from "./security-group.ts";
import { isUpdating, planSubnet, requiredServices } from "./subnet-plan.ts";

/** Resync interval in ms. The controller polls, because Azure does not notify it of subnet changes. */
const resyncMs = 15 * 60_000;
/** Typical duration of a subnet change in Azure, in ms. */
const settleMs = 20_000;
const annotation = "aro.openshift.io/lastSubnetReconcileTimestamp";

/** Restores the security groups of the cluster's subnets and adds the required service endpoints. */
export const azureSubnets: RegisteredController = {
  name: "AzureSubnets",
  flag: "aro.azuresubnets.enabled",
  flags: {
    "aro.azuresubnets.enabled": switchedOn,
    "aro.azuresubnets.nsg.managed": switchedOn,
    "aro.azuresubnets.serviceendpoint.managed": switchedOn,
  },
  documentation: {
    purpose:
      "Sets the network security group and the service endpoints of each subnet in Azure, in one write per subnet. Sets the network resource group in provider specs, and the annotation `aro.openshift.io/lastSubnetReconcileTimestamp`.",
    improvement:
      "Reliably runs every 15 minutes. Never duplicates an endpoint. Preserves properties that are unknown to the SDK. An invalid provider spec makes the controller Degraded, but does not block repairs of other subnets.",
  },
  watches: subnetWatches,
  resyncMs,
  permissions: [
    ...subnetPermissions,
    may(["patch"], "machine.openshift.io", ["machines", "machinesets"], {
      namespace: "openshift-machine-api",
    }),
    may(["patch"], "aro.openshift.io", ["clusters"], { resourceNames: [singleton.name] }),
  ],
  async reconcile(request) {
    const { cluster, cache, flags } = request;
    const resetsGroups = isFlagOn(flags, "aro.azuresubnets.nsg.managed");
    const addsEndpoints = isFlagOn(flags, "aro.azuresubnets.serviceendpoint.managed");
    if (!resetsGroups && !addsEndpoints) return done;
    const services = addsEndpoints && !cluster.spec?.gatewayDomains?.length ? requiredServices : [];
    const failures = new Set<string>();
    const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        request.signal.throwIfAborted();
        failures.add(messageOf(error));
        return undefined;
      }
    };
    await attempt(() => nameMissingGroups(request));
    const { subnets, faults } = clusterSubnets(cluster, cache);
    let isWorking = false;
    for (const subnet of subnets)
      if (await attempt(() => repair(request, subnet, { resetsGroups, services }))) isWorking = true;
    if (failures.size > 0) throw new Error([...faults, ...failures].join("\n"));
    // Only a change of a machine's provider spec can fix these faults, so a retry would not help.
    if (faults.length > 0) throw new TerminalError(faults.join("\n"));
    return isWorking ? { requeueAfterMs: settleMs } : done;
  },
};

/** Repairs a subnet. Returns true while Azure updates it. */
async function repair(
  { azure, cluster, logger, api, clock, signal }: Request,
  subnet: ClusterSubnet,
  { resetsGroups, services }: { readonly resetsGroups: boolean; readonly services: readonly string[] },
): Promise<boolean> {
  const groupId = resetsGroups ? securityGroupId(cluster, subnet) : undefined;
  const live = await azure.find(subnet.id);
  if (!live) {
    logger.info({ subnet: subnet.id }, "a subnet of the cluster's machines does not exist");
    return false;
  }
  if (isUpdating(live)) return true;
  const ownership = subnetOwnership(cluster, subnet.id, live);
  const mayReplace = (present: string) => ownership === "document" || isInManagedGroup(cluster, present);
  const plan = planSubnet(live, { groupId, mayReplace, services });
  if (!plan) return false;
  const name = resourceNameOf(subnet.id);
  if (ownership === "none")
    throw new Error(
      `subnet ${name} is unchanged: it is not in the document of the cluster, and no network interface of the cluster uses it`,
    );
  const { body, fields, keptGroup } = plan;
  if (fields.length > 0) await azure.write(subnet.id, { method: "PUT", body, fields });
  if (keptGroup !== undefined)
    throw new Error(
      `subnet ${name} keeps the network security group ${resourceNameOf(keptGroup)}, which is outside the resource group of the cluster`,
    );
  if (plan.fields.includes("properties.networkSecurityGroup")) {
    // This annotation records the time of the last security group repair. The monitor counts such repairs.
    const annotations = { [annotation]: clock.now().toUTCString() };
    await api.mergePatch(clusters, singleton, { metadata: { annotations } }, signal);
  }
  return true;
}

/** Adds the network's resource group to provider specs that lack it. */
async function nameMissingGroups({ cache, cluster, objects }: Request): Promise<void> {
  const { sets, masters } = machinesIn(cache);
  for (const machine of [...sets, ...masters]) {
    const networkResourceGroup = missingGroup(machine, cluster.spec?.vnetId);
    if (networkResourceGroup === undefined) continue;
    const { name, namespace = "", uid = "" } = machine.metadata;
    const spec = { providerSpec: { value: { networkResourceGroup } } };
    // The UID prevents the server-side apply from recreating an object that has just been deleted.
    const metadata = { name, namespace, uid };
    if (machine.kind === "MachineSet")
      await objects.ensure(resources.machineSets, { metadata, spec: { template: { spec } } });
    else await objects.ensure(resources.machines, { metadata, spec });
  }
}
