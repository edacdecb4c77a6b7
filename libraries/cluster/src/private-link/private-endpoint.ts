import { parseResourceId } from "@keelson/arm";
import { type AzureClients, unlessGone } from "@keelson/azure";
import { azureNames, infraIdOf, networkId, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/**
 * Creates the service's private endpoint for the cluster's API server, and stores the endpoint's address (Azure/ARO-RP
 * pkg/cluster/ipaddresses.go).
 */
export async function createAPIServerPrivateEndpoint(context: ClusterContext): Promise<void> {
  const { cluster, environment, serviceAzure, signal, update } = context;
  const names = azureNames(infraIdOf(cluster));
  const endpoint = await serviceAzure.network.privateEndpoints.createOrUpdate(
    environment.resourceGroup,
    endpointName(context),
    {
      location: cluster.location,
      subnet: { id: environment.network.privateEndpointSubnetId },
      manualPrivateLinkServiceConnections: [
        {
          name: "rp-plsconnection",
          privateLinkServiceId: networkId(cluster, "privateLinkServices", names.privateLinkService),
        },
      ],
    },
    serviceAzure.call(signal),
  );
  const privateEndpointIp = await addressOf(serviceAzure, endpoint, signal);
  await update((current) => {
    const { networkProfile } = current.properties;
    if (networkProfile.privateEndpointIp === privateEndpointIp) return current;
    return withProperties(current, { networkProfile: { ...networkProfile, privateEndpointIp } });
  });
}

/** Deletes the private endpoint in the service's resource group. The endpoint's name contains the document's ID. */
export async function deletePrivateEndpoint(context: ClusterContext): Promise<void> {
  const { environment, serviceAzure, signal } = context;
  const { privateEndpoints } = serviceAzure.network;
  const call = serviceAzure.call(signal);
  await unlessGone(() => privateEndpoints.delete(environment.resourceGroup, endpointName(context), call));
}

function endpointName({ documentId }: ClusterContext): string {
  return `rp-pe-${documentId}`;
}

interface PrivateEndpoint {
  readonly name?: string;
  readonly networkInterfaces?: readonly { readonly id?: string }[];
}

/** Returns the address of a private endpoint. */
export async function addressOf(
  azure: AzureClients,
  { name, networkInterfaces }: PrivateEndpoint,
  signal: AbortSignal,
): Promise<string> {
  const id = parseResourceId(networkInterfaces?.[0]?.id ?? "");
  const [, nicName] = id?.path[0] ?? [];
  if (!id || !nicName) throw new Error(`the private endpoint ${name} has no network interface`);
  const nic = await azure.network.networkInterfaces.get(id.resourceGroup, nicName, azure.call(signal));
  const address = nic.ipConfigurations?.[0]?.privateIPAddress;
  if (!address) throw new Error(`the private endpoint ${name} has no address`);
  return address;
}
