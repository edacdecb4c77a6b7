import { CloudError, parseResourceId, resourceNameOf, sameResource } from "@keelson/arm";
import { type AzureClients, apiVersionOf, armRetry, isNotFound } from "@keelson/azure";
import type { ActionContext } from "../context/action-context.ts";
import { typeOf } from "./list-resources.ts";
import { managedGroupOf } from "./managed-group.ts";

type LoadBalancer = Awaited<ReturnType<AzureClients["network"]["loadBalancers"]["get"]>>;

/**
 * Resource types that must not be deleted. These resources connect the service to the cluster, or store the cluster's images or
 * state.
 */
const refused = /^microsoft\.(network\/private(linkservices|endpoints)|storage\/.+)$/;

/**
 * Functions by child resource type. Each function removes a child resource from a load balancer, because Azure deletes these
 * child resources only when the load balancer is updated.
 */
const removals: Readonly<Record<string, (loadBalancer: LoadBalancer, id: string) => LoadBalancer>> = {
  "microsoft.network/loadbalancers/frontendipconfigurations": withoutFrontend,
  "microsoft.network/loadbalancers/probes": withoutProbe,
  "microsoft.network/loadbalancers/loadbalancingrules": withoutRule,
};

/**
 * Deletes one resource of the managed resource group and waits for the deletion.
 * @throws CloudError InvalidParameter for a protected resource or a resource outside of the group; NotFound; errors of Azure
 */
export async function deleteManagedResource(context: ActionContext, id: string): Promise<void> {
  const { azure, document, clock, signal } = context;
  const { resourceGroupId } = document.openShiftCluster.properties.clusterProfile;
  if (!isWithin(id, resourceGroupId)) {
    const message = `The resource ${id} is not within the cluster's managed resource group ${resourceGroupId}.`;
    throw new CloudError("InvalidParameter", message);
  }
  const type = typeOf(id);
  if (refused.test(type)) {
    throw new CloudError("InvalidParameter", `deletion of resource ${id} is forbidden`);
  }
  const apiVersion = apiVersionOf(type);
  if (apiVersion === undefined) {
    throw new CloudError("InvalidParameter", `The type of resource ${id} is not known.`);
  }
  try {
    await azure.raw.get(id, { "api-version": apiVersion }, signal);
    const remove = removals[type];
    const call = azure.call(signal);
    const { resources } = azure.resources;
    await armRetry(
      () =>
        remove
          ? updateLoadBalancer(context, id, remove)
          : resources.deleteById(id, apiVersion, call).pollUntilDone(call),
      { clock, signal },
    );
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new CloudError("NotFound", `The resource '${id}' could not be found.`, { cause });
  }
}

/** True if the resource is in the resource group. Only complete path segments match, so `aro-x2` is not within `aro-x`. */
function isWithin(id: string, groupId: string): boolean {
  const parsed = parseResourceId(id);
  if (!parsed || /\/\.{1,2}(\/|$)|[?#%]/.test(id)) return false;
  return sameResource(
    `/subscriptions/${parsed.subscriptionId}/resourceGroups/${parsed.resourceGroup}`,
    groupId,
  );
}

async function updateLoadBalancer(
  { azure, document, signal }: ActionContext,
  id: string,
  remove: (loadBalancer: LoadBalancer, id: string) => LoadBalancer,
): Promise<void> {
  const { loadBalancers } = azure.network;
  const group = managedGroupOf(document);
  const name = parseResourceId(id)?.path[0]?.[1] ?? "";
  const call = azure.call(signal);
  const loadBalancer = await loadBalancers.get(group, name, call);
  await loadBalancers.createOrUpdate(group, name, remove(loadBalancer, id), call).pollUntilDone(call);
}

function withoutFrontend(loadBalancer: LoadBalancer, id: string): LoadBalancer {
  const isIt = isPart(id);
  const frontends = loadBalancer.frontendIPConfigurations ?? [];
  const { loadBalancingRules, inboundNatPools, inboundNatRules, outboundRules } = frontends.find(isIt) ?? {};
  const users = [loadBalancingRules, inboundNatPools, inboundNatRules, outboundRules];
  if (users.some((each) => each && each.length > 0)) {
    const message = `frontend IP Configuration ${id} has external references, remove the external references prior to removing the frontend IP configuration`;
    throw new CloudError("InvalidParameter", message);
  }
  return { ...loadBalancer, frontendIPConfigurations: frontends.filter((each) => !isIt(each)) };
}

function withoutProbe(loadBalancer: LoadBalancer, id: string): LoadBalancer {
  const isIt = isPart(id);
  const probes = loadBalancer.probes ?? [];
  if ((probes.find(isIt)?.loadBalancingRules ?? []).length > 0) {
    const message = `Load balancer health probe ${id} is used by load balancing rules, remove the referencing load balancing rules before removing the health probe`;
    throw new CloudError("InvalidParameter", message);
  }
  return { ...loadBalancer, probes: probes.filter((each) => !isIt(each)) };
}

function withoutRule(loadBalancer: LoadBalancer, id: string): LoadBalancer {
  const isIt = isPart(id);
  const rules = loadBalancer.loadBalancingRules ?? [];
  return { ...loadBalancer, loadBalancingRules: rules.filter((each) => !isIt(each)) };
}

function isPart(id: string) {
  const wanted = resourceNameOf(id).toLowerCase();
  return ({ name }: { readonly name?: string }) => name?.toLowerCase() === wanted;
}
