import type { OpenShiftCluster, PlatformWorkloadIdentityRole, RoleSetProperties } from "@keelson/model";

const role = (
  operatorName: string,
  definition: string,
  secretLocation: PlatformWorkloadIdentityRole["secretLocation"],
  accounts: readonly string[],
): PlatformWorkloadIdentityRole => ({
  operatorName,
  roleDefinitionName: operatorName,
  roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${definition}`,
  serviceAccounts: accounts.map((name) => `system:serviceaccount:${secretLocation.namespace}:${name}`),
  secretLocation,
});

const machineApi = role(
  "machine-api",
  "0358943c-7e01-48ba-8889-02cc51d78637",
  { namespace: "openshift-machine-api", name: "azure-cloud-credentials" },
  ["machine-api-controllers"],
);
const imageRegistry = role(
  "image-registry",
  "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5",
  { namespace: "openshift-image-registry", name: "installer-cloud-credentials" },
  ["cluster-image-registry-operator", "registry"],
);
const operator = role(
  "aro-operator",
  "4436bae4-7702-4c84-919b-c4069ff25ee2",
  { namespace: "openshift-azure-operator", name: "azure-cloud-credentials" },
  ["aro-operator-master"],
);

/** Role sets for the OpenShift version of test clusters, and for the next minor version, which has an additional operator. */
export const testRoleSets: readonly RoleSetProperties[] = [
  { openShiftVersion: "4.19", platformWorkloadIdentityRoles: [machineApi, imageRegistry, operator] },
  {
    openShiftVersion: "4.20",
    platformWorkloadIdentityRoles: [
      machineApi,
      imageRegistry,
      operator,
      role(
        "ingress",
        "0336e1d3-7a87-462b-b6db-342b63f7802c",
        { namespace: "openshift-ingress-operator", name: "cloud-credentials" },
        ["ingress-operator"],
      ),
    ],
  },
];

/** Replaces the cluster's service principal by managed identities, in the same way as the frontend. */
export function withIdentities(
  cluster: OpenShiftCluster,
  identityURL: string,
  own: string,
  operators: Readonly<Record<string, string>>,
): OpenShiftCluster {
  const { servicePrincipalProfile: _, ...properties } = cluster.properties;
  const platformWorkloadIdentities = Object.fromEntries(
    Object.entries(operators).map(([operatorName, resourceId]) => [operatorName, { resourceId }]),
  );
  return {
    ...cluster,
    managedServiceIdentity: {
      type: "UserAssigned",
      identityURL,
      userAssignedIdentities: { [own]: {} },
    },
    properties: {
      ...properties,
      platformWorkloadIdentityProfile: {
        ...properties.platformWorkloadIdentityProfile,
        platformWorkloadIdentities,
      },
    },
  };
}
