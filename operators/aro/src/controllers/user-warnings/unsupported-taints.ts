import { fewestWorkers } from "./few-workers.ts";
import type { Warning } from "./warning.ts";

/**
 * Taints that need no warning. They are the temporary taints of Kubernetes and Azure, and the taint of infrastructure nodes,
 * which run platform components.
 */
const supported =
  /^(?:node\.kubernetes\.io\/|node\.cloudprovider\.kubernetes\.io\/|node-role\.kubernetes\.io\/infra$)/;
const maxKeys = 3;

/**
 * Returns a warning if too few workers are free of customer taints. Platform components do not tolerate customer taints, so they
 * need enough workers without such taints.
 * @see https://learn.microsoft.com/azure/openshift/support-policies-v4
 */
export function unsupportedTaints(workers: readonly (readonly string[])[]): Warning | undefined {
  const foreign = workers.map((taints) => taints.filter((key) => !supported.test(key)));
  const free = foreign.filter((keys) => keys.length === 0).length;
  if (workers.length < fewestWorkers || free >= fewestWorkers) return undefined;
  const keys = [...new Set(foreign.flat())].toSorted();
  const more = keys.length > maxKeys ? ` and ${keys.length - maxKeys} more` : "";
  return {
    name: "aro-sre-unsupported-taints",
    reason: "UnsupportedTaints",
    text: `Unsupported Cluster State: Taints keep the components of OpenShift away from all worker nodes but ${free}, and they need ${fewestWorkers}. Remove taints of worker nodes, or add nodes without: ${keys.slice(0, maxKeys).join(", ")}${more}`,
  };
}
