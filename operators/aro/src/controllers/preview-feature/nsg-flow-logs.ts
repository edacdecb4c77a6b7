import { resourceKey } from "@keelson/arm";
import { messageOf, stringAt } from "@keelson/base";
import { type ClusterSubnet, clusterSubnets } from "../../azure/cluster-subnets.ts";
import { subnetOwnership } from "../../azure/subnet-ownership.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { type FlowLogSettings, flowLog, flowLogId, planFlowLog } from "./flow-log.ts";

export interface FlowLogResult {
  /** Number of security groups in the cluster's subnets. */
  readonly groups: number;
  /** True while Azure updates one of the flow logs. */
  readonly isWorking: boolean;
  /** Messages of failed requests, one line each. */
  readonly failures: readonly string[];
  /** Errors that only a change of cluster objects can fix, one line each. */
  readonly faults: readonly string[];
}

/** Creates, updates or deletes the flow logs. Each security group of the cluster's subnets has one flow log. */
export async function keepFlowLogs(request: Request, settings: FlowLogSettings): Promise<FlowLogResult> {
  const fault = faultOf(settings);
  if (fault !== undefined) return { groups: 0, isWorking: false, failures: [], faults: [fault] };
  const failures = new Set<string>();
  let isWorking = false;
  const { subnets, faults } = clusterSubnets(request.cluster, request.cache);
  const groups = await securityGroups(request, subnets, failures);
  for (const groupId of groups) {
    try {
      isWorking = (await keepFlowLog(request, settings, groupId)) || isWorking;
    } catch (error) {
      request.signal.throwIfAborted();
      failures.add(messageOf(error));
    }
  }
  return { groups: groups.length, isWorking, failures: [...failures], faults };
}

/** Returns the error in the settings, or `undefined`. The error applies to every security group. */
function faultOf(settings: FlowLogSettings): string | undefined {
  try {
    flowLogId(settings, "any");
    if (settings.enabled) flowLog(settings, "any", "any");
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the IDs of the subnets' security groups without duplicates. A subnet may have no security group. */
async function securityGroups(
  { azure, cluster, signal }: Request,
  subnets: readonly ClusterSubnet[],
  failures: Set<string>,
): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  for (const { id } of subnets) {
    try {
      const subnet = await azure.find(id);
      if (!subnet || subnetOwnership(cluster, id, subnet) === "none") continue;
      const group = stringAt(subnet, "properties", "networkSecurityGroup", "id");
      if (group !== undefined && !ids.has(resourceKey(group))) ids.set(resourceKey(group), group);
    } catch (error) {
      signal.throwIfAborted();
      failures.add(messageOf(error));
    }
  }
  return [...ids.values()];
}

/** Reconciles one flow log. Returns true while Azure updates it. */
async function keepFlowLog(
  { azure, cluster }: Request,
  settings: FlowLogSettings,
  groupId: string,
): Promise<boolean> {
  const id = flowLogId(settings, groupId);
  const wanted = settings.enabled ? flowLog(settings, groupId, cluster.spec?.location ?? "") : undefined;
  const live = await azure.find(id);
  if (/^(?:Updating|Deleting)$/.test(stringAt(live, "properties", "provisioningState") ?? "")) return true;
  if (!live) {
    if (wanted) await azure.create(id, wanted);
    return false;
  }
  if (!wanted) {
    await azure.remove(id);
    return false;
  }
  const body = planFlowLog(live, wanted);
  if (body) await azure.write(id, { method: "PUT", body, fields: ["properties"] });
  return false;
}
