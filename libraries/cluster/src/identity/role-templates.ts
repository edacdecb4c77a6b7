import { type TemplateResource, templateResource } from "../managed-group/template-resource.ts";

/** IDs of built-in roles. They are the same in every tenant. */
export const builtInRoles = {
  owner: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  storageBlobDataContributor: "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
} as const;

/** Returns a role assignment on the managed resource group for the cluster's service principal. */
export function servicePrincipalRole(principalId: string): TemplateResource {
  return groupRole(builtInRoles.contributor, principalId, "guid(resourceGroup().id, 'SP / Contributor')");
}

/**
 * Returns a role assignment on the managed resource group for an operator's identity. `roleId` is the name of the role
 * definition.
 */
export function identityRole(roleId: string, principalId: string): TemplateResource {
  return groupRole(roleId, principalId, `guid(resourceGroup().id, '${roleId}', '${principalId}')`);
}

function groupRole(roleId: string, principalId: string, name: string): TemplateResource {
  return templateResource("Microsoft.Authorization/roleAssignments", `[${name}]`, {
    properties: {
      scope: "[resourceGroup().id]",
      roleDefinitionId: definitionId(roleId),
      principalId,
      principalType: "ServicePrincipal",
    },
  });
}

/**
 * Returns a role assignment that allows access to the blobs of a storage account. A role is necessary, because the account keys
 * are disabled.
 */
export function blobContributor(account: string, principalId: string): TemplateResource {
  const accountId = `resourceId('Microsoft.Storage/storageAccounts', '${account}')`;
  return templateResource(
    "Microsoft.Storage/storageAccounts/providers/roleAssignments",
    `[concat('${account}', '/Microsoft.Authorization/', guid(${accountId}))]`,
    {
      properties: {
        scope: `[${accountId}]`,
        roleDefinitionId: definitionId(builtInRoles.storageBlobDataContributor),
        principalId,
        principalType: "ServicePrincipal",
      },
    },
    [`[${accountId}]`],
  );
}

function definitionId(roleId: string): string {
  return `[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '${roleId}')]`;
}
