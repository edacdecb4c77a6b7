import { CloudError, resourceNameOf } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage } from "@keelson/azure";
import type { Subnet } from "../../context/azure-models.ts";
import type { ClusterContext } from "../../context/context.ts";
import { clusterSubnetIds } from "./cluster-subnets.ts";
import { changeSubnet } from "./subnet-writes.ts";

/** Services that machines reach inside of Azure's network. */
const serviceEndpoints = ["Microsoft.ContainerRegistry", "Microsoft.Storage"];

/**
 * Adds the service endpoints of storage and registry to the cluster's subnets; clusters behind the gateway do not need
 * them.
 */
export async function ensureServiceEndpoints(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  if (cluster.properties.featureProfile?.gatewayEnabled) return;
  // Sequential, because the subnets of a network share its ETag.
  for (const id of await clusterSubnetIds(context)) await changeSubnet(context, id, withServiceEndpoints);
}

/** Adds missing and failed service endpoints to `subnet`. Returns it unchanged if all work. */
export function withServiceEndpoints(subnet: Subnet): Subnet {
  const present = subnet.serviceEndpoints ?? [];
  const works = (service: string) =>
    present.some(
      (each) =>
        each.service?.toLowerCase() === service.toLowerCase() &&
        (each.provisioningState ?? "Succeeded") === "Succeeded",
    );
  const lacking = serviceEndpoints.filter((each) => !works(each));
  if (lacking.length === 0) return subnet;
  const kept = present.filter(
    ({ service = "" }) => !lacking.some((each) => each.toLowerCase() === service.toLowerCase()),
  );
  return {
    ...subnet,
    serviceEndpoints: [...kept, ...lacking.map((each) => ({ service: each, locations: ["*"] }))],
  };
}

/** True when the subnet has a working service endpoint of storage in `location`. */
export function hasStorageEndpoint(subnet: Subnet, location: string): boolean {
  return (subnet.serviceEndpoints ?? []).some(
    ({ service, locations = [] }) =>
      service?.toLowerCase() === "microsoft.storage" &&
      locations.some((each) => each === "*" || each.toLowerCase() === location.toLowerCase()),
  );
}

/**
 * Allows private link services and private endpoints in the masters' subnet.
 * @throws CloudError RequestDisallowedByPolicy when a policy of the customer forbids it
 */
export async function setMasterSubnetPolicies(context: ClusterContext): Promise<void> {
  const { subnetId } = context.cluster.properties.masterProfile;
  try {
    await changeSubnet(context, subnetId, withoutPolicies);
  } catch (error) {
    if (azureErrorCode(error) !== "RequestDisallowedByPolicy") throw error;
    throw disallowed(subnetId, error);
  }
}

function withoutPolicies(subnet: Subnet): Subnet {
  const { privateEndpointNetworkPolicies, privateLinkServiceNetworkPolicies } = subnet;
  if (privateEndpointNetworkPolicies === "Disabled" && privateLinkServiceNetworkPolicies === "Disabled")
    return subnet;
  return {
    ...subnet,
    privateEndpointNetworkPolicies: "Disabled",
    privateLinkServiceNetworkPolicies: "Disabled",
  };
}

function disallowed(subnetId: string, error: unknown): CloudError {
  const text = azureErrorMessage(error);
  const named = (member: string) => new RegExp(`${member}\\\\?"\\s*:\\s*\\\\?"([^"\\\\]+)`).exec(text)?.[1];
  const definition = named("policyDefinitionName") ?? named("policyDefinitionDisplayName");
  const assignment = named("policyAssignmentName");
  const message =
    definition && assignment ? `Policy definition : ${definition}\nPolicy Assignment : ${assignment}` : text;
  return new CloudError(
    "RequestDisallowedByPolicy",
    `Resource ${resourceNameOf(subnetId)} was disallowed by policy.`,
    { details: [{ code: "RequestDisallowedByPolicy", message }], cause: error },
  );
}
