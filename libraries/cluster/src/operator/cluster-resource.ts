import { type AroCluster, type ClusterSpec, clusters, singleton } from "@keelson/aro-api";
import { findAzureCloud, registryDataDomain } from "@keelson/azure";
import { apiVersionOf } from "@keelson/kube";
import { infraIdOf, type OpenShiftCluster, subnetsOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import type { ClusterEnvironment } from "../context/environment.ts";
import { domainOf } from "../network/dns.ts";

/** Returns the Cluster resource for the operator. It contains data of the cluster's document and of the service. */
export function clusterResource(context: ClusterContext): AroCluster {
  return {
    apiVersion: apiVersionOf(clusters),
    kind: clusters.kind,
    metadata: { name: singleton.name },
    spec: clusterSpec(context),
  };
}

/**
 * Returns the spec of the Cluster resource. Missing values become empty strings, so that the update removes earlier values
 * (Azure/ARO-RP pkg/operator/deploy).
 */
function clusterSpec(context: ClusterContext): ClusterSpec {
  const { cluster, environment } = context;
  const { properties } = cluster;
  const { gatewayPrivateEndpointIp = "" } = properties.networkProfile;
  return {
    resourceId: cluster.id,
    clusterResourceGroupId: properties.clusterProfile.resourceGroupId,
    domain: domainOf(context).fullName,
    acrDomain: environment.registry?.domain ?? "",
    azEnvironment: findAzureCloud(environment.azure.armEndpoint)?.name ?? "AzurePublicCloud",
    location: environment.location,
    infraId: infraIdOf(cluster),
    architectureVersion: properties.architectureVersion,
    storageSuffix: properties.storageSuffix ?? "",
    vnetId: virtualNetworkId(properties.masterProfile.subnetId),
    apiIntIP: properties.apiserverProfile.intIp ?? "",
    ingressIP: ingressIp(cluster),
    clusterSubnets: subnetsOf(cluster).map(({ id }) => id),
    serviceSubnets: serviceSubnets(cluster, environment),
    internetChecker: { urls: checkedUrls(environment) },
    gatewayPrivateEndpointIP: gatewayPrivateEndpointIp,
    gatewayTelemetryDomain: gatewayPrivateEndpointIp === "" ? "" : telemetryDomain(environment),
    gatewayDomains: gatewayDomains(cluster, environment),
    operatorflags: operatorFlags(context),
  };
}

/** Returns the operator flags of the document. The flag `aro.environment` defaults to the environment type. */
export function operatorFlags({ cluster, environment }: ClusterContext): Readonly<Record<string, string>> {
  return { "aro.environment": environment.environmentType, ...cluster.properties.operatorFlags };
}

function virtualNetworkId(subnetId: string): string {
  const tokens = subnetId.split("/");
  if (tokens.length !== 11) throw new Error(`subnet ID "${subnetId}" has incorrect length`);
  return tokens.slice(0, -2).join("/");
}

function ingressIp({ properties: { ingressProfiles } }: OpenShiftCluster): string {
  const profile = ingressProfiles.find(({ name }) => name === "default") ?? ingressProfiles[0];
  if (!profile) throw new Error("no Ingress Profiles found");
  if (!profile.ip) throw new Error("ingress IP is empty");
  return profile.ip;
}

function serviceSubnets({ properties }: OpenShiftCluster, { network }: ClusterEnvironment): string[] {
  const { privateEndpointSubnetId, serviceSubnetId, gateway } = network;
  const usesGateway = gateway && properties.featureProfile?.gatewayEnabled;
  return [privateEndpointSubnetId, serviceSubnetId, ...(usesGateway ? [gateway.subnetId] : [])];
}

/**
 * Returns the endpoints that nodes must reach. These are the registry, the identity provider and Azure Resource Manager, and in
 * Azure's own clouds also a monitoring endpoint.
 */
function checkedUrls({ azure, registry }: ClusterEnvironment): string[] {
  const monitoring = findAzureCloud(azure.armEndpoint)?.monitoringEndpoint;
  const urls = [
    ...(registry ? [registry.url ?? `https://${registry.domain}/`] : []),
    new URL(azure.loginEndpoint).href,
    new URL(azure.armEndpoint).href,
    ...(monitoring ? [monitoring] : []),
  ];
  return [...new Set(urls)];
}

function telemetryDomain({ location, serviceDomain }: ClusterEnvironment): string {
  return serviceDomain ? `telemetry.${location}.${serviceDomain}`.toLowerCase() : "";
}

/** Returns the domains that the operator routes to the gateway. Empty for clusters without the gateway. */
function gatewayDomains({ properties }: OpenShiftCluster, environment: ClusterEnvironment): string[] {
  if (!properties.featureProfile?.gatewayEnabled) return [];
  const { azure, location, registry, gatewayDomains: others = [] } = environment;
  const storageSuffix = findAzureCloud(azure.armEndpoint)?.storageSuffix ?? "core.windows.net";
  return [
    ...others,
    new URL(azure.loginEndpoint).hostname,
    new URL(azure.armEndpoint).hostname,
    ...(registry ? [registry.domain, registryDataDomain(registry.domain, location)] : []),
    `${properties.imageRegistryStorageAccountName ?? ""}.blob.${storageSuffix}`,
  ];
}
