interface BuiltInRole {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
}

const network = "Microsoft.Network";

/** Azure's own roles that an OpenShift cluster or its users meet. IDs are the same in every tenant. */
export const builtInRoles: readonly BuiltInRole[] = [
  { id: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635", name: "Owner", actions: ["*"] },
  {
    id: "b24988ac-6180-42a0-ab88-20f7382dd24c",
    name: "Contributor",
    actions: ["*"],
    notActions: [
      "Microsoft.Authorization/*/Delete",
      "Microsoft.Authorization/*/Write",
      "Microsoft.Authorization/elevateAccess/Action",
    ],
  },
  { id: "acdd72a7-3385-48ef-bd42-f606fba81ae7", name: "Reader", actions: ["*/read"] },
  {
    id: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
    name: "User Access Administrator",
    actions: ["*/read", "Microsoft.Authorization/*"],
  },
  {
    id: "4d97b98b-1d4f-4787-a291-c67834d212e7",
    name: "Network Contributor",
    actions: [`${network}/*`, "Microsoft.Authorization/*/read", "Microsoft.Resources/deployments/*"],
  },
  {
    id: "befefa01-2a29-4197-83a8-272ff33ce314",
    name: "DNS Zone Contributor",
    actions: [`${network}/dnsZones/*`],
  },
  {
    id: "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
    name: "Virtual Machine Contributor",
    actions: ["Microsoft.Compute/*"],
  },
  {
    id: "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    name: "Storage Blob Data Contributor",
    actions: ["Microsoft.Storage/storageAccounts/blobServices/containers/*"],
  },
  {
    id: "ef318e2a-8334-4a05-9e4a-295a196c6a6e",
    name: "Azure Red Hat OpenShift Federated Credential",
    actions: ["Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/*"],
  },
  {
    id: "42f3c60f-e7b1-46d7-ba56-6de681664342",
    name: "Azure Red Hat OpenShift Service",
    actions: [`${network}/virtualNetworks/*`],
  },
];
