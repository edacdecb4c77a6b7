import { randomUUID } from "node:crypto";
import { create } from "@keelson/database";
import { roleSetsPartition, type ServiceDatabase } from "@keelson/model";
import { testRoleSets } from "./identity-documents.ts";
import { location, type World } from "./world.ts";

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

/** Makes managed identities; answers their resource IDs by name. */
export async function createIdentities<Name extends string>(
  { azure }: World,
  names: readonly Name[],
  signal: AbortSignal,
): Promise<Readonly<Record<Name, string>>> {
  const call = azure.call(signal);
  await azure.resources.resourceGroups.createOrUpdate(identityGroup, { location }, call);
  const made = await Promise.all(
    names.map(async (name) => {
      const { userAssignedIdentities } = azure.identities;
      const identity = await userAssignedIdentities.createOrUpdate(identityGroup, name, { location }, call);
      return [name, identity.id ?? ""] as const;
    }),
  );
  return Object.fromEntries(made) as Record<Name, string>;
}
