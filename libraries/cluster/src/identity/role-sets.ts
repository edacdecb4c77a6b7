import { type RoleSetProperties, roleSetsPartition, type ServiceDatabase } from "@keelson/model";

const limit = 1_000;

/** Returns the role sets for managed identities. Administrators maintain the role sets. */
export async function readRoleSets(
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly RoleSetProperties[]> {
  const { roleSets } = database.collections;
  const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit }, signal);
  return items.map(({ document }) => document.platformWorkloadIdentityRoleSet.properties);
}
