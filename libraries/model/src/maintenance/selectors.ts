import { usesWorkloadIdentity } from "../cluster/open-shift-cluster.ts";
import type { ClusterDocument } from "../documents/cluster-documents.ts";
import type { Subscription } from "../documents/subscription-document.ts";

export const selectorOperators = ["eq", "in", "notin"] as const;

/**
 * Condition on a cluster. The operator `eq` uses `value`, and all other operators use `values`. The comparison of strings is
 * case-sensitive.
 */
export interface MaintenanceSelector {
  readonly key: string;
  readonly operator: (typeof selectorOperators)[number];
  readonly value?: string;
  readonly values?: readonly string[];
}

/**
 * Returns the attributes of a cluster by name, as strings. The names come from Azure/ARO-RP docs/mimo. `domain` is the service's
 * DNS domain.
 */
export function selectorsOf(
  { key, partitionKey, bucket, openShiftCluster }: ClusterDocument,
  subscription: Subscription | undefined,
  domain: string,
) {
  const { properties } = openShiftCluster;
  const name = properties.clusterProfile.domain;
  return {
    resourceID: key,
    bucketID: `${bucket}`,
    subscriptionID: partitionKey,
    subscriptionState: subscription?.state ?? "",
    authenticationType: usesWorkloadIdentity(openShiftCluster) ? "WorkloadIdentity" : "ServicePrincipal",
    architectureVersion: `${properties.architectureVersion}`,
    provisioningState: properties.provisioningState,
    outboundType: properties.networkProfile.outboundType ?? "",
    APIServerVisibility: properties.apiserverProfile.visibility,
    isManagedDomain: `${!name.includes(".") || name.endsWith(`.${domain}`)}`,
  } as const satisfies Readonly<Record<string, string>>;
}

export type SelectorValues = Readonly<Record<string, string>>;

/**
 * Evaluates all conditions for a cluster. `problem` is set if the schedule has a mistake: an empty list of conditions, or an
 * unknown attribute name.
 */
export function matchSelectors(
  selectors: readonly MaintenanceSelector[],
  values: SelectorValues,
): { readonly matches: boolean; readonly problem?: string } {
  if (selectors.length === 0) return { matches: false, problem: "empty selector list" };
  const unknown = selectors.find(({ key }) => !Object.hasOwn(values, key));
  if (unknown) {
    return { matches: false, problem: `requested non-existent '${unknown.key}' selector key` };
  }
  return { matches: selectors.every((each) => meets(each, values[each.key] ?? "")) };
}

function meets({ operator, value, values = [] }: MaintenanceSelector, actual: string): boolean {
  switch (operator) {
    case "eq":
      return actual === value;
    case "in":
      return values.includes(actual);
    case "notin":
      return !values.includes(actual);
    default:
      return operator satisfies never;
  }
}
