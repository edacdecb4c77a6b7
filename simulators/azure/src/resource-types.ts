import type { ResourceType } from "./arm/resource-type.ts";
import { denyAssignments } from "./authorization/deny-assignments.ts";
import { locks } from "./authorization/locks.ts";
import { roleAssignments } from "./authorization/role-assignments.ts";
import { roleDefinitions } from "./authorization/role-definitions.ts";
import { availabilitySets } from "./compute/availability-sets.ts";
import { diskEncryptionSets } from "./compute/disk-encryption-sets.ts";
import { disks } from "./compute/disks.ts";
import { galleries, galleryImages, galleryImageVersions } from "./compute/galleries.ts";
import { machineExtensions } from "./compute/machine-extensions.ts";
import { snapshots } from "./compute/snapshots.ts";
import { virtualMachines } from "./compute/virtual-machines.ts";
import { registries } from "./container-registry/registries.ts";
import { replications } from "./container-registry/replications.ts";
import { scopeMaps } from "./container-registry/scope-maps.ts";
import { tokens } from "./container-registry/tokens.ts";
import { databaseAccounts } from "./document-db/database-accounts.ts";
import { sqlContainers, sqlDatabases, sqlRoleAssignments } from "./document-db/sql-resources.ts";
import { actionGroups, autoscaleSettings, metricAlerts } from "./insights/alerts.ts";
import { vaultSecrets } from "./key-vault/vault-secret-resources.ts";
import { vaults } from "./key-vault/vaults.ts";
import { federatedIdentityCredentials } from "./managed-identity/federated-identity-credentials.ts";
import { userAssignedIdentities } from "./managed-identity/user-assigned-identities.ts";
import { applicationSecurityGroups } from "./network/application-security-groups.ts";
import { dnsRecordSets } from "./network/dns-record-sets.ts";
import { dnsZones } from "./network/dns-zones.ts";
import { loadBalancers } from "./network/load-balancers.ts";
import { natGateways } from "./network/nat-gateways.ts";
import { networkInterfaces } from "./network/network-interfaces.ts";
import { networkSecurityGroups } from "./network/network-security-groups.ts";
import { flowLogs, networkWatchers } from "./network/network-watchers.ts";
import { privateDnsZoneGroups } from "./network/private-dns-zone-groups.ts";
import { privateDnsRecordSets, privateDnsZones, virtualNetworkLinks } from "./network/private-dns-zones.ts";
import { privateEndpointConnections } from "./network/private-endpoint-connections.ts";
import { privateEndpoints } from "./network/private-endpoints.ts";
import { privateLinkServices } from "./network/private-link-services.ts";
import { publicIPAddresses } from "./network/public-ip-addresses.ts";
import { publicIPPrefixes } from "./network/public-ip-prefixes.ts";
import { routeTables } from "./network/route-tables.ts";
import { virtualNetworks } from "./network/virtual-networks.ts";
import { policyAssignments } from "./policy/policy-assignments.ts";
import { policyDefinitions, policySetDefinitions } from "./policy/policy-definitions.ts";
import { flexibleServerDatabases, flexibleServers } from "./postgresql/flexible-servers.ts";
import { scaleSetMachines } from "./scale-sets/scale-set-machines.ts";
import { virtualMachineScaleSets } from "./scale-sets/virtual-machine-scale-sets.ts";
import { blobContainers, blobServices } from "./storage/blob-services.ts";
import { storageAccounts } from "./storage/storage-accounts.ts";

/** Every resource type of the simulation. A new one is a declaration in its provider's folder and a line here. */
export const resourceTypes: readonly ResourceType[] = [
  virtualNetworks,
  networkSecurityGroups,
  routeTables,
  natGateways,
  publicIPAddresses,
  loadBalancers,
  networkInterfaces,
  dnsZones,
  ...dnsRecordSets,
  privateDnsZones,
  virtualNetworkLinks,
  ...privateDnsRecordSets,
  privateLinkServices,
  privateEndpointConnections,
  privateEndpoints,
  privateDnsZoneGroups,
  publicIPPrefixes,
  applicationSecurityGroups,
  networkWatchers,
  flowLogs,
  virtualMachines,
  machineExtensions,
  disks,
  snapshots,
  availabilitySets,
  galleries,
  galleryImages,
  galleryImageVersions,
  diskEncryptionSets,
  userAssignedIdentities,
  federatedIdentityCredentials,
  roleAssignments,
  roleDefinitions,
  denyAssignments,
  locks,
  policyDefinitions,
  policySetDefinitions,
  policyAssignments,
  storageAccounts,
  blobServices,
  blobContainers,
  vaults,
  vaultSecrets,
  registries,
  scopeMaps,
  tokens,
  replications,
  virtualMachineScaleSets,
  scaleSetMachines,
  databaseAccounts,
  sqlDatabases,
  sqlContainers,
  sqlRoleAssignments,
  flexibleServers,
  flexibleServerDatabases,
  actionGroups,
  metricAlerts,
  autoscaleSettings,
];
