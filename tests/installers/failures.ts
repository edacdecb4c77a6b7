import type { InstallCase, InstallWorld } from "./install-case.ts";

/** Failure case in which a customer's Azure policy denies the virtual machines. */
export const deniedByPolicy: Omit<InstallCase, "name" | "cluster"> = {
  identities: false,
  sabotage: denyMachines,
  failure: { code: "DeploymentFailed", text: /RequestDisallowedByPolicy/ },
};

/** Azure failures during an installation, with one case of each class. */
export const azureFailures: readonly InstallCase[] = [
  {
    name: "production, no quota",
    cluster: "quota",
    identities: false,
    // The service's quota check runs before this step. The fault starts only at this step, so that it reaches the installer.
    sabotageAt: "generateInstallState",
    sabotage: limitCores,
    failure: { code: "InternalServerError", text: /exceeding approved Total Regional Cores quota/ },
  },
  { name: "production, policy", cluster: "policy", ...deniedByPolicy },
  {
    name: "production, missing image",
    cluster: "image",
    identities: false,
    sabotage: (world) =>
      setFault(world, {
        kind: "refused",
        type: "Microsoft.Compute/locations/publishers*",
        status: 404,
        code: "NotFound",
        message: "Artifact: VMImage was not found.",
      }),
    failure: { code: "InternalServerError", text: /VMImage was not found/ },
  },
];

/** Limits the quota to fewer cores than the control plane needs. */
async function limitCores({ azure }: InstallWorld): Promise<() => Promise<void>> {
  await azure.change({ quotas: { eastus: { cores: 8 } } });
  return () => azure.change({ quotas: { eastus: null } });
}

async function setFault({ azure }: InstallWorld, fault: object): Promise<() => Promise<void>> {
  await azure.change({ faults: { install: fault } });
  return () => azure.change({ faults: { install: null } });
}

async function denyMachines({ arm, azure }: InstallWorld): Promise<() => Promise<void>> {
  const scope = `/subscriptions/${arm.subscriptionId}/providers/Microsoft.Authorization`;
  const definition = `${scope}/policyDefinitions/no-machines`;
  const assignment = `${scope}/policyAssignments/no-machines`;
  const version = "2023-04-01";
  const policyRule = {
    if: { field: "type", equals: "Microsoft.Compute/virtualMachines" },
    // biome-ignore lint/suspicious/noThenProperty: name of Azure
    then: { effect: "deny" },
  };
  await azure.azure("PUT", definition, version, {
    properties: { policyType: "Custom", mode: "All", displayName: "No machines", policyRule },
  });
  await azure.azure("PUT", assignment, version, {
    properties: { displayName: "No machines", policyDefinitionId: definition },
  });
  return async () => {
    await azure.azure("DELETE", assignment, version);
    await azure.azure("DELETE", definition, version);
  };
}
