import { CloudError, resourceNameOf } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage } from "@keelson/azure";
import type { Subnet } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";
import { clusterSubnetIds } from "./cluster-subnets.ts";
import { changeSubnet } from "./subnet-writes.ts";

/** Azure services that machines reach through service endpoints. */
const serviceEndpoints = ["Microsoft.ContainerRegistry", "Microsoft.Storage"];

/**
 * Adds the service endpoints for storage and registry to the cluster's subnets. Does nothing for clusters behind the gateway,
 * because they do not need service endpoints.
 */
export async function ensureServiceEndpoints(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  if (cluster.properties.featureProfile?.gatewayEnabled) return;
  // Changes the subnets one after the other, because every change also changes the ETags of all other subnets in the network.
  for (const id of await clusterSubnetIds(context)) await changeSubnet(context, id, withServiceEndpoints);
}

/**
 * Returns `subnet` with missing service endpoints added and failed endpoints replaced. Returns `subnet` itself if all endpoints
 * work.
 */
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

/** True if the subnet has a working storage service endpoint in `location`. */
export function hasStorageEndpoint(subnet: Subnet, location: string): boolean {
  return (subnet.serviceEndpoints ?? []).some(
    ({ service, locations = [] }) =>
      service?.toLowerCase() === "microsoft.storage" &&
      locations.some((each) => each === "*" || each.toLowerCase() === location.toLowerCase()),
  );
}

/**
 * Configures the masters' subnet to allow private link services and private endpoints.
 * @throws CloudError RequestDisallowedByPolicy if a customer's policy forbids the change
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
