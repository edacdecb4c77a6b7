import type { ClusterContext } from "../context/context.ts";
import { managedIdentitiesOf } from "../identity/cluster-identity.ts";
import { idOf, type OperatorIdentityWithRoles } from "../identity/platform-identities.ts";
import type { Subject } from "./subject.ts";

/**
 * Returns the subject for the validation of the operators' managed identities. Each identity must be allowed to perform the
 * actions of its roles. The service's credentials read the resources, because the identities have no permission to read them.
 */
export async function identitiesSubject(
  context: ClusterContext,
  identities: readonly OperatorIdentityWithRoles[],
): Promise<Subject> {
  const { azure, connection } = context;
  const managedIdentities = managedIdentitiesOf(context);
  const own = await Promise.all(
    identities.map(async (identity) => ({
      operatorName: identity.operatorName,
      principalId: idOf(identity, "objectId"),
      actions: await actionsOf(context, identity),
    })),
  );
  return {
    role: "cluster",
    azure,
    async findDenial(resourceId, actions, signal) {
      for (const identity of own) {
        const needed = actions.filter((action) => identity.actions.has(action.toLowerCase()));
        if (needed.length === 0) continue;
        const { principalId, operatorName } = identity;
        const forbidden = await managedIdentities.findForbiddenAction(
          principalId,
          resourceId,
          needed,
          connection,
          signal,
        );
        if (forbidden === undefined) continue;
        return {
          code: "InvalidWorkloadIdentityPermissions",
          who: `${operatorName} platform managed identity`,
        };
      }
      return undefined;
    },
  };
}

/** Returns the actions that an identity's roles allow, in lower case. */
async function actionsOf(
  { azure, signal }: ClusterContext,
  { roles }: OperatorIdentityWithRoles,
): Promise<ReadonlySet<string>> {
  const { roleDefinitions } = azure.authorization;
  const definitions = await Promise.all(
    roles.map(({ roleDefinitionId }) => roleDefinitions.getById(roleDefinitionId, azure.call(signal))),
  );
  const permissions = definitions.flatMap((each) => each.permissions ?? []);
  return new Set(permissions.flatMap(({ actions = [] }) => actions).map((action) => action.toLowerCase()));
}
