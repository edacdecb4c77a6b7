import type { BuiltInRole } from "./built-in-role.ts";
import { openShiftOperatorRoles } from "./openshift-operator-roles.ts";

const network = "Microsoft.Network";
const vaults = "Microsoft.KeyVault/vaults";
const containers = "Microsoft.Storage/storageAccounts/blobServices/containers";

export const ownerRole = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
export const networkContributorRole = "4d97b98b-1d4f-4787-a291-c67834d212e7";
export const blobDataContributorRole = "ba92f5b4-2d11-453d-a403-e96b0029c9fe";
export const vaultAdministratorRole = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
export const readerRole = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

/** Azure's built-in roles that OpenShift clusters and their users need. The role IDs are the same in every tenant. */
export const builtInRoles: readonly BuiltInRole[] = [
  {
    id: ownerRole,
    name: "Owner",
    description: "Full access to all resources, including the assignment of roles.",
    actions: ["*"],
  },
  {
    id: "b24988ac-6180-42a0-ab88-20f7382dd24c",
    name: "Contributor",
    description: "Full access to all resources, without the assignment of roles.",
    actions: ["*"],
    notActions: [
      "Microsoft.Authorization/*/Delete",
      "Microsoft.Authorization/*/Write",
      "Microsoft.Authorization/elevateAccess/Action",
    ],
  },
  {
    id: readerRole,
    name: "Reader",
    description: "View access to all resources. Changes are not allowed.",
    actions: ["*/read"],
  },
  {
    id: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
    name: "User Access Administrator",
    description: "Manages the access of users to resources.",
    actions: ["*/read", "Microsoft.Authorization/*"],
  },
  {
    id: networkContributorRole,
    name: "Network Contributor",
    description: "Manages networks, but not the access to them.",
    actions: [`${network}/*`, "Microsoft.Authorization/*/read", "Microsoft.Resources/deployments/*"],
  },
  {
    id: "befefa01-2a29-4197-83a8-272ff33ce314",
    name: "DNS Zone Contributor",
    description: "Manages DNS zones and their record sets, but not the access to them.",
    actions: [`${network}/dnsZones/*`],
  },
  {
    id: "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
    name: "Virtual Machine Contributor",
    description: "Manages virtual machines, but not the networks and storage accounts that they use.",
    actions: ["Microsoft.Compute/*"],
  },
  {
    id: blobDataContributorRole,
    name: "Storage Blob Data Contributor",
    description: "Reads, writes and deletes containers and blobs.",
    actions: [
      `${containers}/read`,
      `${containers}/write`,
      `${containers}/delete`,
      "Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action",
    ],
    dataActions: [`${containers}/blobs/*`],
  },
  {
    id: "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
    name: "Storage Blob Data Reader",
    description: "Reads and lists containers and blobs.",
    actions: [
      `${containers}/read`,
      "Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action",
    ],
    dataActions: [`${containers}/blobs/read`],
  },
  {
    id: "7f951dda-4ed3-4680-a7ca-43fe172d538d",
    name: "AcrPull",
    description: "Pulls images from container registries.",
    actions: ["Microsoft.ContainerRegistry/registries/pull/read"],
  },
  {
    id: "4633458b-17de-408a-b874-0445c86b69e6",
    name: "Key Vault Secrets User",
    description: "Reads the contents of secrets.",
    actions: [],
    dataActions: [
      "Microsoft.KeyVault/vaults/secrets/getSecret/action",
      "Microsoft.KeyVault/vaults/secrets/readMetadata/action",
    ],
  },
  {
    id: "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
    name: "Key Vault Secrets Officer",
    description: "Manages the secrets of a key vault, but not the access to it.",
    actions: [
      "Microsoft.Authorization/*/read",
      "Microsoft.KeyVault/checkNameAvailability/read",
      "Microsoft.KeyVault/vaults/read",
    ],
    dataActions: ["Microsoft.KeyVault/vaults/secrets/*"],
  },
  {
    id: "ef318e2a-8334-4a05-9e4a-295a196c6a6e",
    name: "Azure Red Hat OpenShift Federated Credential",
    description: "Manages the federated credentials of user-assigned identities of a cluster.",
    actions: [
      "Microsoft.ManagedIdentity/userAssignedIdentities/read",
      "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/*",
    ],
  },
  {
    id: "42f3c60f-e7b1-46d7-ba56-6de681664342",
    name: "Azure Red Hat OpenShift Service",
    description: "Manages the virtual networks of clusters for the service.",
    actions: [`${network}/virtualNetworks/*`],
  },
  {
    id: vaultAdministratorRole,
    name: "Key Vault Administrator",
    description: "Manages all objects of a key vault, but not the vault itself.",
    actions: [`${vaults}/read`],
    dataActions: [`${vaults}/*`],
  },
  {
    id: "21090545-7ca7-4776-b22c-e363652d74d2",
    name: "Key Vault Reader",
    description: "Reads the metadata of key vaults and their objects.",
    actions: [`${vaults}/read`],
    dataActions: [`${vaults}/*/read`, `${vaults}/secrets/readMetadata/action`],
  },
  {
    id: "a4417e6f-fecd-4de8-b567-7b0420556985",
    name: "Key Vault Certificates Officer",
    description: "Manages the certificates of a key vault, but not the access to it.",
    actions: [`${vaults}/read`],
    dataActions: [`${vaults}/certificates/*`],
  },
  {
    id: "14b46e9e-c2b7-41b4-b07b-48a6ebf60603",
    name: "Key Vault Crypto Officer",
    description: "Manages the keys of a key vault, but not the access to it.",
    actions: [`${vaults}/read`],
    dataActions: [`${vaults}/keys/*`],
  },
  ...openShiftOperatorRoles,
];
