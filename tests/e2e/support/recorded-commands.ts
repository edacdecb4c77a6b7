import { plain, type RecordedPlace, type RecordedRequest, requestsAt } from "./recorded-requests.ts";

const serviceAppId = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875";
const [networkContributor, serviceRole, federatedCredentialRole] = [
  "4d97b98b-1d4f-4787-a291-c67834d212e7",
  "42f3c60f-e7b1-46d7-ba56-6de681664342",
  "ef318e2a-8334-4a05-9e4a-295a196c6a6e",
] as const;

/** Operator identities with their roles and the scope of the role assignments: the network or both subnets. */
const operators: readonly (readonly [name: string, role: string, at: "network" | "subnets"])[] = [
  ["cloud-controller-manager", "a1f96423-95ce-4224-ab27-4e3dc72facd4", "subnets"],
  ["ingress", "0336e1d3-7a87-462b-b6db-342b63f7802c", "subnets"],
  ["machine-api", "0358943c-7e01-48ba-8889-02cc51d78637", "subnets"],
  ["disk-csi-driver", "5b7237c5-45e1-49d6-bc18-a1f62f400748", "network"],
  ["cloud-network-config", "be7a6435-15ae-4171-8f30-4a343eff9e8f", "network"],
  ["image-registry", "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5", "network"],
  ["file-csi-driver", "0d7aedc0-15fd-4a67-a412-efad370c947e", "network"],
  ["aro-operator", "4436bae4-7702-4c84-919b-c4069ff25ee2", "subnets"],
];

/** @see Azure/ARO-RP python/az/aro/azext_aro/tests/latest/integration/recordings/test_aro_public_cluster.yaml */
export function clusterOfApplication(place: RecordedPlace): readonly RecordedRequest[] {
  const at = requestsAt(place);
  const { clientId, clientSecret, principalId, servicePrincipalId } = at.who;
  const principals = (command: string) => [serviceAppId, clientId].map((id) => at.principal(command, id));
  const body = at.clusterBody("heptg65k", "");
  return [
    ...at.makeNetwork,
    ...at.subnetsOf("aro validate"),
    at.groupOf("aro validate"),
    ...principals("aro validate"),
    ...at.validate("aro validate"),
    at.assignments("aro validate"),
    ...at.subnetsOf("aro create"),
    at.groupOf("aro create"),
    at.provider,
    ...principals("aro create"),
    ...at.validate("aro create"),
    at.assignments("aro create"),
    ...at.subnetsOf("aro create"),
    at.assignments("aro create"),
    at.assign("aro create", at.network, principalId, networkContributor, "roleDefinition"),
    at.assignments("aro create"),
    at.assign("aro create", at.network, servicePrincipalId, networkContributor, "roleDefinition"),
    at.ofCluster("aro create", "PUT", {
      body: {
        ...body,
        properties: { ...body.properties, servicePrincipalProfile: { clientId, clientSecret } },
      },
      status: 201,
      operation: true,
    }),
    at.ofCluster("aro create", "GET"),
    ...(
      [
        ["aro list-credentials", "listCredentials", "kubeadminPassword kubeadminUsername"],
        ["aro get-admin-kubeconfig", "listAdminCredentials", "kubeconfig"],
      ] as const
    ).map(([command, action, members]) =>
      at.ofCluster(command, "POST", {
        path: `${at.clusterPath}/${action}?api-version=2025-07-25`,
        members,
      }),
    ),
    at.ofCluster("aro show", "GET"),
    at.get(
      "aro list",
      `${at.inGroup}/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25`,
      "value",
    ),
    at.ofCluster("aro update", "GET"),
    ...principals("aro update"),
    ...at.subnetsOf("aro update"),
    at.assignments("aro update"),
    at.ofCluster("aro update", "PATCH", { body: {}, operation: true }),
    at.ofCluster("aro update", "GET"),
    at.ofCluster("aro delete", "GET"),
    at.principal("aro delete", serviceAppId),
    ...at.subnetsOf("aro delete"),
    at.assignments("aro delete"),
    at.ofCluster("aro delete", "DELETE", { status: 202, members: "", operation: true }),
  ];
}

/**
 * @see Azure/ARO-RP, the same directory, test_aro_public_cluster_with_managed_identities.yaml and
 * test_aro_get_versions.yaml
 */
export function clusterOfIdentities(place: RecordedPlace): readonly RecordedRequest[] {
  const at = requestsAt(place);
  const body = at.clusterBody("arzfjl5a", "4.18.26");
  const create = "aro create";
  const versions = (command: string) =>
    at.get(command, `${at.location}/openShiftVersions?api-version=2025-07-25`, "value");
  const makeIdentity = (name: string): RecordedRequest => ({
    ...{ command: create, method: "PUT", path: `${at.identity(name)}?api-version=2024-11-30` },
    ...{ body: { location: "eastus" }, status: 201, principal: name },
    members: "id location name properties tags type",
  });
  const identities = ["aro-cluster", ...operators.map(([name]) => name)];
  const withIdentity = "id identity location name properties systemData tags type";
  return [
    versions("aro get-versions"),
    ...at.makeNetwork,
    ...at.subnetsOf(create),
    at.groupOf(create),
    at.provider,
    ...at.validate(create),
    versions(create),
    ...at.subnetsOf(create),
    makeIdentity("aro-cluster"),
    at.get(create, `${at.location}/platformWorkloadIdentityRoleSets?api-version=2025-07-25`, "value"),
    ...operators.flatMap(([name, role, where]) => [
      makeIdentity(name),
      at.get(
        create,
        `/providers/Microsoft.Authorization/roleDefinitions/${role}?api-version=2022-05-01-preview&disambiguation_dummy=`,
        plain,
      ),
      ...(where === "network" ? [""] : ["/subnets/master", "/subnets/worker"]).map((below) =>
        at.assign(create, `${at.network}${below}`, (ids) => ids.get(name) ?? "", role),
      ),
      at.assign(create, at.identity(name), (ids) => ids.get("aro-cluster") ?? "", federatedCredentialRole),
    ]),
    at.principal(create, serviceAppId),
    at.assign(create, at.network, at.who.servicePrincipalId, serviceRole),
    at.ofCluster(create, "PUT", {
      body: {
        ...body,
        identity: { type: "UserAssigned", userAssignedIdentities: { [at.identity("aro-cluster")]: {} } },
        properties: {
          ...body.properties,
          platformWorkloadIdentityProfile: {
            platformWorkloadIdentities: Object.fromEntries(
              operators.map(([name]) => [name, { resourceId: at.identity(name) }]),
            ),
          },
        },
      },
      ...{ status: 201, members: withIdentity, operation: true },
    }),
    at.ofCluster(create, "GET", { members: withIdentity }),
    at.ofCluster("aro delete", "GET", { members: withIdentity }),
    ...identities.map((name) =>
      at.get(
        "aro delete",
        `${at.identity(name)}/providers/Microsoft.Authorization/permissions?api-version=2022-05-01-preview`,
        "value",
      ),
    ),
    at.principal("aro delete", serviceAppId),
    ...at.subnetsOf("aro delete"),
    at.assignments("aro delete"),
    at.assign("aro delete", at.network, at.who.servicePrincipalId, networkContributor, "roleDefinition"),
    at.ofCluster("aro delete", "DELETE", { status: 202, members: "", operation: true }),
    ...identities.map(
      (name): RecordedRequest => ({
        ...{ command: "aro delete", method: "DELETE", status: 200, members: "" },
        path: `${at.identity(name)}?api-version=2024-11-30`,
      }),
    ),
  ];
}
