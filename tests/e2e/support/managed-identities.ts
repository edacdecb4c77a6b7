import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { exampleRequest, variablesFor } from "./cluster-request.ts";
import type { WorldClient } from "./world-client.ts";

/** Azure Red Hat OpenShift Federated Credential: role of the cluster's identity. */
const federatedCredentialRole = "ef318e2a-8334-4a05-9e4a-295a196c6a6e";

export interface IdentityPlace {
  readonly azure: WorldClient["azure"];
  readonly subscriptionId: string;
  /** `service.json`, which names the roles of operators. */
  readonly serviceFile: string;
}

/** Creates the managed identities of the example with identities, for a cluster of this name. */
export async function createIdentities(place: IdentityPlace, name: string): Promise<void> {
  const body: Readonly<Record<string, unknown>> = {
    ...exampleRequest("20250725-identities", variablesFor(name, place.subscriptionId)),
  };
  const operators = Object.keys(
    Object(body.properties).platformWorkloadIdentityProfile.platformWorkloadIdentities,
  );
  for (const role of ["cluster", ...operators]) await createIdentity(place, `${name}-${role}`, role);
}

/**
 * Creates a managed identity with the role of an operator on the network, or with that of the cluster on its resource group. Returns
 * its resource ID.
 */
export async function createIdentity(place: IdentityPlace, name: string, role: string): Promise<string> {
  const group = `/subscriptions/${place.subscriptionId}/resourceGroups/keelson-network`;
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const { properties } = await place.azure("PUT", id, "2023-01-31", { location: "eastus" });
  const definition = roleOf(role, place.serviceFile);
  const scope = definition ? `${group}/providers/Microsoft.Network/virtualNetworks/vnet` : group;
  const roleDefinitionId = definition ?? `/roleDefinitions/${federatedCredentialRole}`;
  const assignment = `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
  const { principalId } = properties;
  await place.azure("PUT", assignment, "2022-04-01", { properties: { principalId, roleDefinitionId } });
  return id;
}

/** Returns the role of an operator by the role sets of the service. */
function roleOf(operatorName: string, serviceFile: string): string | undefined {
  const config: {
    roleSets: { platformWorkloadIdentityRoles: { operatorName: string; roleDefinitionId: string }[] }[];
  } = JSON.parse(readFileSync(serviceFile, "utf8"));
  return config.roleSets
    .flatMap((each) => each.platformWorkloadIdentityRoles)
    .find((each) => each.operatorName === operatorName)?.roleDefinitionId;
}
