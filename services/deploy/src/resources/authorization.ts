import { builtInRole, call, type Expression, member, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

/** Built-in roles for the service's identities. Each is the narrowest sufficient role. */
export const roles = {
  acrPull: "7f951dda-4ed3-4680-a7ca-43fe172d538d",
  dnsZoneContributor: "befefa01-2a29-4197-83a8-272ff33ce314",
  keyVaultCertificatesOfficer: "a4417e6f-fecd-4de8-b567-7b0420556985",
  keyVaultSecretsOfficer: "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
  keyVaultSecretsUser: "4633458b-17de-408a-b874-0445c86b69e6",
  storageBlobDataContributor: "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
} as const;

export interface Assignment {
  /** Scope of the assignment. Default: the deployment's resource group. */
  readonly on?: Resource;
  /** One of `roles`, or the ID of a custom role definition. */
  readonly role: string | Expression;
  readonly principalId: Expression;
  readonly dependsOn?: readonly Expression[];
  readonly condition?: Expression;
}

/**
 * Returns a role assignment for a service principal. Its name is a hash of its content, so repeated deployments change nothing.
 */
export function roleAssignment({ on, role, principalId, dependsOn = [], condition }: Assignment): Resource {
  const scope = on ? idOf(on) : member(call("resourceGroup"), "id");
  const definition = typeof role === "string" ? builtInRole(role) : role;
  return {
    type: "Microsoft.Authorization/roleAssignments",
    name: [call("guid", scope, principalId, definition)],
    ...(on ? { scope } : {}),
    ...(condition ? { condition } : {}),
    dependsOn: [...(on ? [idOf(on)] : []), ...dependsOn],
    properties: { roleDefinitionId: definition, principalId, principalType: "ServicePrincipal" },
  };
}

/** Returns the ID of a custom role in the deployment's subscription. */
export function ownRole(label: string): Expression {
  return call("subscriptionResourceId", "Microsoft.Authorization/roleDefinitions", ownRoleName(label));
}

function ownRoleName(label: string): Expression {
  return call("guid", member(call("subscription"), "id"), label);
}

/** Returns a custom role, for cases in which no built-in role is narrow enough. */
export function roleDefinition(label: string, roleName: Value, actions: readonly string[]): Resource {
  const subscription = member(call("subscription"), "id");
  return {
    type: "Microsoft.Authorization/roleDefinitions",
    name: [ownRoleName(label)],
    properties: {
      roleName,
      type: "CustomRole",
      assignableScopes: [subscription],
      permissions: [{ actions, notActions: [], dataActions: [], notDataActions: [] }],
    },
  };
}
