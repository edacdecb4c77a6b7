import { randomUUID } from "node:crypto";
import type { AzureClients } from "@keelson/azure";
import type { World } from "./world.ts";

const signal = AbortSignal.timeout(30 * 60_000);

export interface AssignedRole {
  /** ID of a role definition, or only its GUID. */
  readonly role: string;
  readonly scope: string;
}

/** Assigns a role with the credentials of the subscription's owner. */
export async function assignRole(
  { operator, subscriptionId }: Pick<World, "operator" | "subscriptionId">,
  principalId: string,
  { role, scope }: AssignedRole,
): Promise<void> {
  const definitions = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions`;
  const roleDefinitionId = `${definitions}/${role.split("/").at(-1)}`;
  const { roleAssignments } = operator.authorization;
  await roleAssignments.create(
    scope,
    randomUUID(),
    { principalId, roleDefinitionId, principalType: "ServicePrincipal" },
    operator.call(signal),
  );
}

/** Runs `act` while a principal has only the roles `roles`. Restores the previous roles afterwards. */
export async function withRoles(
  world: World,
  principalId: string,
  roles: readonly AssignedRole[],
  act: () => Promise<void>,
): Promise<void> {
  const before = await takeRoles(world.operator, principalId);
  for (const role of roles) await assignRole(world, principalId, role);
  try {
    await act();
  } finally {
    await takeRoles(world.operator, principalId);
    for (const role of before) await assignRole(world, principalId, role);
  }
}

/** Removes all roles of a principal and returns the removed roles. */
async function takeRoles(
  { authorization, call }: AzureClients,
  principalId: string,
): Promise<AssignedRole[]> {
  const { roleAssignments } = authorization;
  const filter = `principalId eq '${principalId}'`;
  const found = await Array.fromAsync(roleAssignments.listForSubscription({ filter, ...call(signal) }));
  for (const { id = "" } of found) await roleAssignments.deleteById(id, call(signal));
  return found.map(({ roleDefinitionId: role = "", scope = "" }) => ({ role, scope }));
}
