import type { JsonObject } from "@keelson/base";
import {
  type OpenShiftCluster,
  regionOf,
  type StorageAccountNames,
  usesWorkloadIdentity,
} from "@keelson/model";
import type { ServiceNetwork } from "../context/environment.ts";
import { type TemplateResource, templateResource } from "../managed-group/template-resource.ts";

const accountType = "Microsoft.Storage/storageAccounts";

/** Names of the containers for the bootstrap Ignition configuration and for the installer's graph. */
export const ignitionContainer = "ignition";
export const graphContainer = "aro";

export interface StorageAccountRequest {
  readonly name: string;
  readonly kind: keyof StorageAccountNames;
  readonly network: ServiceNetwork;
  /** IDs of the cluster's subnets that have the storage service endpoint. */
  readonly clusterSubnetIds: readonly string[];
  /** True for a new account. Infrastructure encryption can be enabled only on new accounts. */
  readonly isNew: boolean;
}

/**
 * Returns a storage account. Its network rules admit only the service and the cluster (Azure/ARO-RP
 * pkg/cluster/deploybaseresources_additional.go).
 */
export function storageAccount(cluster: OpenShiftCluster, request: StorageAccountRequest): TemplateResource {
  const { name, kind, network, clusterSubnetIds, isNew } = request;
  const subnetIds = [
    network.privateEndpointSubnetId,
    network.serviceSubnetId,
    ...clusterSubnetIds,
    ...(kind === "cluster" && network.hiveSubnetId ? [network.hiveSubnetId] : []),
    ...(network.gateway ? [network.gateway.subnetId] : []),
  ];
  const keyless = usesWorkloadIdentity(cluster);
  return templateResource(accountType, name, {
    location: regionOf(cluster),
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
    properties: {
      allowBlobPublicAccess: false,
      allowCrossTenantReplication: false,
      supportsHttpsTrafficOnly: true,
      minimumTlsVersion: "TLS1_2",
      networkAcls: {
        bypass: "AzureServices",
        virtualNetworkRules: subnetIds.map((id) => ({ id, action: "Allow" })),
        defaultAction: "Deny",
      },
      ...(keyless ? { allowSharedKeyAccess: false } : {}),
      ...(keyless && kind === "cluster"
        ? { sasPolicy: { sasExpirationPeriod: "0.01:00:00", expirationAction: "Log" } }
        : {}),
      ...(isNew ? { encryption } : {}),
    },
  });
}

const service = { keyType: "Account", enabled: true };
const encryption: JsonObject = {
  requireInfrastructureEncryption: true,
  services: { blob: service, file: service, table: service, queue: service },
  keySource: "Microsoft.Storage",
};

export function blobContainer(account: string, name: string): TemplateResource {
  const dependsOn = [`${accountType}/${account}`];
  return templateResource(
    `${accountType}/blobServices/containers`,
    `${account}/default/${name}`,
    {},
    dependsOn,
  );
}
