/** Microsoft's public client tools, which exist in every tenant. */
const publicFirstParties = [
  // Azure CLI
  "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
  // Azure PowerShell
  "1950a258-227b-4e31-a9cf-717495945fc2",
  // Visual Studio Code
  "aebc6443-996d-45c2-90f0-388ff96faa56",
];

export function isPublicFirstParty(clientId: string): boolean {
  return publicFirstParties.includes(clientId.toLowerCase());
}

/** Service principal of the Azure Red Hat OpenShift service. Clients assign roles to it. */
export const openShiftService = {
  clientId: "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875",
  displayName: "Azure Red Hat OpenShift RP",
} as const;
