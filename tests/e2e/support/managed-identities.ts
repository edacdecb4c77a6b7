import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { exampleRequest, variablesFor } from "./cluster-request.ts";
import type { WorldClient } from "./world-client.ts";

/** Role of the cluster's identity: Azure Red Hat OpenShift Federated Credential. */
const federatedCredentialRole = "ef318e2a-8334-4a05-9e4a-295a196c6a6e";

export interface IdentityPlace {
  readonly azure: WorldClient["azure"];
  readonly subscriptionId: string;
  /** Path of `service.json`, which contains the operators' roles. */
  readonly serviceFile: string;
}

/** Creates the managed identities of the example request with identities. */
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
 * Creates a managed identity and returns its resource ID. `role` is the name of an operator, or `cluster`. An operator's identity
 * gets the operator's role on the network. The cluster's identity gets its role on the resource group.
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

/** Returns the role of an operator from the service's role sets. */
function roleOf(operatorName: string, serviceFile: string): string | undefined {
  const config: {
    roleSets: { platformWorkloadIdentityRoles: { operatorName: string; roleDefinitionId: string }[] }[];
  } = JSON.parse(readFileSync(serviceFile, "utf8"));
  return config.roleSets
    .flatMap((each) => each.platformWorkloadIdentityRoles)
    .find((each) => each.operatorName === operatorName)?.roleDefinitionId;
}
