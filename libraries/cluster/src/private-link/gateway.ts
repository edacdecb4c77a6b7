import { sameResource } from "@keelson/arm";
import { messageOf } from "@keelson/base";
import {
  azureNames,
  infraIdOf,
  managedGroupOf,
  type NetworkProfile,
  networkId,
  withProperties,
} from "@keelson/model";
import { isInterruption } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import type { ServiceNetwork } from "../context/environment.ts";
import { deployTemplate } from "../managed-group/deploy-template.ts";
import { setMasterSubnetPolicies } from "../network/subnet-policies.ts";
import { addressOf } from "./private-endpoint.ts";
import { gatewayPrivateEndpoint } from "./private-link-template.ts";

type Gateway = Required<ServiceNetwork>["gateway"];

/**
 * Connects the cluster to the service's gateway. Approves the private link, records to which cluster the link belongs, and stores
 * the gateway's address. Does nothing if there is no gateway.
 */
export async function ensureGatewayCreate(context: ClusterContext): Promise<void> {
  const { cluster, environment, azure, gateway: record, signal } = context;
  const { gateway } = environment.network;
  if (!gateway || cluster.properties.networkProfile.gatewayPrivateEndpointIp) return;
  const name = azureNames(infraIdOf(cluster)).gatewayPrivateEndpoint;
  const group = managedGroupOf(cluster);
  const endpoint = await azure.network.privateEndpoints.get(group, name, azure.call(signal));
  const gatewayPrivateLinkId = await approve(context, gateway);
  // Stores the link identifier in the cluster's document before the gateway record is created, so that a deletion of the cluster
  // always finds the record. A leftover record would be dangerous, because Azure reuses link identifiers.
  await storeProfile(context, { gatewayPrivateLinkId });
  await record.ensure(gatewayPrivateLinkId, signal);
  await storeProfile(context, { gatewayPrivateEndpointIp: await addressOf(azure, endpoint, signal) });
}

async function storeProfile(
  { update }: ClusterContext,
  change: Pick<NetworkProfile, "gatewayPrivateEndpointIp" | "gatewayPrivateLinkId">,
): Promise<void> {
  await update((current) =>
    withProperties(current, { networkProfile: { ...current.properties.networkProfile, ...change } }),
  );
}

/**
 * Connects clusters to the gateway if they were created before the gateway existed. Failures are only logged, so that maintenance
 * continues.
 */
export async function ensureGatewayUpgrade(context: ClusterContext): Promise<void> {
  const { cluster, environment, signal, logger } = context;
  const { gateway } = environment.network;
  if (!gateway || cluster.properties.networkProfile.gatewayPrivateEndpointIp) return;
  try {
    await setMasterSubnetPolicies(context);
    await deployTemplate(context, "gatewayprivateendpoint", [gatewayPrivateEndpoint(cluster, gateway)]);
    await ensureGatewayCreate(context);
  } catch (error) {
    signal.throwIfAborted();
    if (isInterruption(error)) throw error;
    logger.warn({ reason: messageOf(error) }, "the cluster was not connected with the gateway");
  }
}

/** Approves the cluster's private endpoint connection. Returns the link identifier. */
async function approve({ cluster, serviceAzure, signal }: ClusterContext, gateway: Gateway): Promise<string> {
  const { privateLinkServices } = serviceAzure.network;
  const { resourceGroup, privateLinkServiceName: service } = gateway;
  const name = azureNames(infraIdOf(cluster)).gatewayPrivateEndpoint;
  const endpointId = networkId(cluster, "privateEndpoints", name);
  const call = serviceAzure.call(signal);
  const connections = privateLinkServices.listPrivateEndpointConnections(resourceGroup, service, call);
  for await (const connection of connections) {
    if (!sameResource(connection.privateEndpoint?.id ?? "", endpointId)) continue;
    if (!connection.name || !connection.linkIdentifier) break;
    if (connection.privateLinkServiceConnectionState?.status !== "Approved") {
      const privateLinkServiceConnectionState = { status: "Approved", description: "Approved" };
      await privateLinkServices.updatePrivateEndpointConnection(
        resourceGroup,
        service,
        connection.name,
        { ...connection, privateLinkServiceConnectionState },
        call,
      );
    }
    return connection.linkIdentifier;
  }
  throw new Error(`${service} has no connection of ${endpointId}`);
}

/**
 * Retires the cluster's gateway record. A later step removes the private link. If the link were removed first, Azure could reuse
 * its identifier for a different cluster.
 */
export async function deleteGateway({ cluster, gateway, signal }: ClusterContext): Promise<void> {
  const { gatewayPrivateLinkId } = cluster.properties.networkProfile;
  if (gatewayPrivateLinkId) await gateway.retire(gatewayPrivateLinkId, signal);
}

export async function gatewayForgotten({ cluster, gateway, signal }: ClusterContext): Promise<boolean> {
  const { gatewayPrivateLinkId } = cluster.properties.networkProfile;
  return !gatewayPrivateLinkId || gateway.isForgotten(gatewayPrivateLinkId, signal);
}
