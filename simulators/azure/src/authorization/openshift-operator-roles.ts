import type { BuiltInRole } from "./built-in-role.ts";

const compute = "Microsoft.Compute";
const network = "Microsoft.Network";
const storage = "Microsoft.Storage/storageAccounts";
const subnets = `${network}/virtualNetworks/subnets`;

/** Returns `{resource}/{verb}` for each verb. */
function of(resource: string, ...verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${resource}/${verb}`);
}

/** Actions that are required to connect a private endpoint to a storage account, if the network belongs to a different owner. */
const ofPrivateEndpoints = [
  ...of(`${network}/privateEndpoints`, "read", "write"),
  ...of(`${network}/privateEndpoints/privateDnsZoneGroups`, "read", "write"),
  ...of(`${network}/privateDnsZones`, "read", "write", "join/action"),
  ...of(`${network}/privateDnsZones/virtualNetworkLinks`, "read", "write"),
  ...of(subnets, "read", "join/action"),
  `${network}/virtualNetworks/join/action`,
];

/**
 * Azure's built-in roles for the managed identities of OpenShift operators. The roles contain only actions on simulated resource
 * types.
 */
export const openShiftOperatorRoles: readonly BuiltInRole[] = [
  {
    id: "a1f96423-95ce-4224-ab27-4e3dc72facd4",
    name: "Azure Red Hat OpenShift Cloud Controller Manager",
    description: "Manages load balancers and addresses for the services of a cluster.",
    actions: [
      ...of(`${compute}/virtualMachines`, "read", "write"),
      ...of(`${network}/loadBalancers`, "read", "write", "delete", "backendAddressPools/join/action"),
      ...of(`${network}/networkInterfaces`, "read", "write"),
      ...of(`${network}/networkSecurityGroups`, "read", "write"),
      ...of(`${network}/publicIPAddresses`, "read", "write", "delete", "join/action"),
      ...of(subnets, "read", "join/action"),
    ],
  },
  {
    id: "0336e1d3-7a87-462b-b6db-342b63f7802c",
    name: "Azure Red Hat OpenShift Cluster Ingress Operator",
    description: "Manages the DNS records of a cluster's ingress.",
    actions: [
      ...of(`${network}/dnsZones/A`, "delete", "write"),
      ...of(`${network}/privateDnsZones/A`, "delete", "write"),
      ...of(subnets, "read", "join/action"),
    ],
  },
  {
    id: "0358943c-7e01-48ba-8889-02cc51d78637",
    name: "Azure Red Hat OpenShift Machine API Operator",
    description: "Manages the virtual machines of a cluster with their disks and network interfaces.",
    actions: [
      ...of(`${compute}/availabilitySets`, "read", "write", "delete"),
      ...of(`${compute}/diskEncryptionSets`, "read"),
      ...of(`${compute}/disks`, "delete"),
      ...of(`${compute}/galleries/images/versions`, "read"),
      ...of(`${compute}/skus`, "read"),
      ...of(`${compute}/virtualMachines`, "read", "write", "delete"),
      "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
      ...of(`${network}/loadBalancers`, "read", "write", "backendAddressPools/join/action"),
      ...of(`${network}/networkInterfaces`, "read", "write", "delete", "join/action"),
      ...of(`${network}/networkSecurityGroups`, "read", "write"),
      ...of(`${network}/publicIPAddresses`, "read", "write", "delete", "join/action"),
      ...of(`${network}/routeTables`, "read"),
      ...of(subnets, "read", "join/action"),
    ],
  },
  {
    id: "5b7237c5-45e1-49d6-bc18-a1f62f400748",
    name: "Azure Red Hat OpenShift Disk Storage Operator",
    description: "Manages the disks and snapshots of a cluster's persistent volumes.",
    actions: [
      ...of(`${compute}/virtualMachines`, "read", "write"),
      ...of(`${compute}/snapshots`, "read", "write", "delete"),
      ...of(`${compute}/disks`, "read", "write", "delete", "beginGetAccess/action"),
      ...of(`${compute}/diskEncryptionSets`, "read"),
      "Microsoft.Resources/subscriptions/resourceGroups/read",
    ],
  },
  {
    id: "be7a6435-15ae-4171-8f30-4a343eff9e8f",
    name: "Azure Red Hat OpenShift Network Operator",
    description: "Manages the network configuration of a cluster's virtual machines.",
    actions: [
      ...of(`${network}/networkInterfaces`, "read", "write"),
      `${network}/virtualNetworks/read`,
      `${subnets}/join/action`,
      ...of(`${network}/loadBalancers/backendAddressPools`, "read", "join/action"),
      `${compute}/virtualMachines/read`,
    ],
  },
  {
    id: "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5",
    name: "Azure Red Hat OpenShift Image Registry Operator",
    description: "Manages the storage account of a cluster's image registry.",
    actions: [
      ...of(storage, "read", "write", "delete", "listKeys/action"),
      ...of(`${storage}/blobServices`, "read", "generateUserDelegationKey/action"),
      ...of(`${storage}/blobServices/containers`, "read", "write"),
      "Microsoft.Resources/tags/write",
      ...ofPrivateEndpoints,
      `${network}/networkInterfaces/read`,
    ],
  },
  {
    id: "0d7aedc0-15fd-4a67-a412-efad370c947e",
    name: "Azure Red Hat OpenShift File Storage Operator",
    description: "Manages the file shares of a cluster's persistent volumes.",
    actions: [
      ...of(storage, "read", "write", "delete", "listKeys/action"),
      `${storage}/fileServices/*`,
      ...ofPrivateEndpoints,
      `${subnets}/write`,
      `${network}/natGateways/join/action`,
      `${network}/routeTables/join/action`,
      `${network}/networkSecurityGroups/join/action`,
    ],
  },
  {
    id: "4436bae4-7702-4c84-919b-c4069ff25ee2",
    name: "Azure Red Hat OpenShift Service Operator",
    description: "Maintains the networks and storage accounts of a cluster.",
    actions: [
      ...of(subnets, "read", "write"),
      `${network}/natGateways/join/action`,
      `${network}/routeTables/join/action`,
      `${network}/networkSecurityGroups/join/action`,
      ...of(storage, "read", "listKeys/action"),
    ],
  },
];
