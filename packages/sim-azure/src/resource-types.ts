import type { ResourceType } from "./arm/resource-type.ts";
import { roleAssignments } from "./authorization/role-assignments.ts";
import { roleDefinitions } from "./authorization/role-definitions.ts";
import { disks } from "./compute/disks.ts";
import { virtualMachines } from "./compute/virtual-machines.ts";
import { dnsRecordSets } from "./network/dns-record-sets.ts";
import { dnsZones } from "./network/dns-zones.ts";
import { loadBalancers } from "./network/load-balancers.ts";
import { networkInterfaces } from "./network/network-interfaces.ts";
import { networkSecurityGroups } from "./network/network-security-groups.ts";
import { publicIPAddresses } from "./network/public-ip-addresses.ts";
import { routeTables } from "./network/route-tables.ts";
import { virtualNetworks } from "./network/virtual-networks.ts";

/** Every resource type of the simulation. A new one is a declaration in its provider's folder and a line here. */
export const resourceTypes: readonly ResourceType[] = [
  virtualNetworks,
  networkSecurityGroups,
  routeTables,
  publicIPAddresses,
  loadBalancers,
  networkInterfaces,
  dnsZones,
  ...dnsRecordSets,
  virtualMachines,
  disks,
  roleAssignments,
  roleDefinitions,
];
