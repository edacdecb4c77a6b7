import { randomUUID } from "node:crypto";
import { create } from "@keelson/database";
import { roleSetsPartition, type ServiceDatabase } from "@keelson/model";
import { testRoleSets } from "@keelson/model/testing";
import { assignRole } from "./roles.ts";
import { location, networkGroup, type World } from "./world.ts";

export const identityGroup = "identities";

export async function putRoleSets(database: ServiceDatabase, signal: AbortSignal): Promise<void> {
  const writes = testRoleSets.map((properties) =>
    create(database.collections.roleSets, {
      id: randomUUID(),
      partitionKey: roleSetsPartition,
      platformWorkloadIdentityRoleSet: { properties },
    }),
  );
  await database.commit(roleSetsPartition, writes, { signal });
}

/** Built-in role "Azure Red Hat OpenShift Federated Credential". */
const federatedCredentialRole = "ef318e2a-8334-4a05-9e4a-295a196c6a6e";

/**
 * Creates managed identities and returns their resource IDs by name. An identity with a name that begins with an operator's name
 * gets the operator's role on the network. All other identities get the role with which a cluster identity manages operator
 * identities.
 */
export async function createIdentities<Name extends string>(
  world: World,
  names: readonly Name[],
  signal: AbortSignal,
): Promise<Readonly<Record<Name, string>>> {
  const { azure, subscriptionId } = world;
  const call = azure.call(signal);
  const scopeOf = (group: string) => `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  const roles = testRoleSets.flatMap((each) => each.platformWorkloadIdentityRoles);
  await azure.resources.resourceGroups.createOrUpdate(identityGroup, { location }, call);
  const made = await Promise.all(
    names.map(async (name) => {
      const { userAssignedIdentities } = azure.identities;
      const identity = await userAssignedIdentities.createOrUpdate(identityGroup, name, { location }, call);
      const operator = roles.find(({ operatorName }) => name.startsWith(operatorName));
      const role = operator
        ? { role: operator.roleDefinitionId, scope: scopeOf(networkGroup) }
        : { role: federatedCredentialRole, scope: scopeOf(identityGroup) };
      await assignRole(world, identity.principalId ?? "", role);
      return [name, identity.id ?? ""] as const;
    }),
  );
  return Object.fromEntries(made) as Record<Name, string>;
}
