/** Where the recorded commands are run again, and by whom. */
export interface RecordedPlace {
  readonly subscription: string;
  readonly group: string;
  /** The application that the cluster acts as, and the object IDs of its service principal and of the service's own. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly principalId: string;
  readonly servicePrincipalId: string;
}

/** A request of a recorded command, with what Azure answered. */
export interface RecordedRequest {
  readonly command: string;
  readonly method: string;
  /** With its query; of Microsoft Graph where it begins with `/v1.0`. */
  readonly path: string;
  readonly body?: object | ((ids: ReadonlyMap<string, string>) => object);
  readonly status: number;
  /** The names of the members at the top of the answer, in alphabetical order. */
  readonly members: string;
  /** It is the beginning of an operation that was looked at until its end. */
  readonly operation?: true;
  /** Remembers the answer's `properties.principalId` under this name. */
  readonly principal?: string;
}

const plain = "id name properties type";
const subnetMembers = "etag id name properties type";
const cluster = "id location name properties systemData tags type";
const serviceAppId = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875";
const [networkContributor, serviceRole, federatedCredentialRole] = [
  "4d97b98b-1d4f-4787-a291-c67834d212e7",
  "42f3c60f-e7b1-46d7-ba56-6de681664342",
  "ef318e2a-8334-4a05-9e4a-295a196c6a6e",
] as const;

/** Roles of the operators' identities, and whether they are assigned at the network or at both subnets. */
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

/** The requests that the commands have in common, at one place. */
function requestsAt({ subscription, group, ...who }: RecordedPlace) {
  const inGroup = `${subscription}/resourceGroups/${group}/providers`;
  const network = `${inGroup}/Microsoft.Network/virtualNetworks/dev-vnet`;
  const clusterPath = `${inGroup}/Microsoft.RedHatOpenShift/openShiftClusters/aro`;
  const identity = (name: string) => `${inGroup}/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const location = `${subscription}/providers/Microsoft.RedHatOpenShift/locations/eastus`;
  const get = (command: string, path: string, members: string): RecordedRequest => {
    return { command, method: "GET", path, status: 200, members };
  };
  const subnet = (command: string, name: string, version = "2022-01-01") =>
    get(command, `${network}/subnets/${name}?api-version=${version}`, subnetMembers);
  const subnetsOf = (command: string) => ["master", "worker"].map((name) => subnet(command, name));
  const groupOf = (command: string) =>
    get(
      command,
      `${subscription}/resourcegroups/${group}?api-version=2024-11-01`,
      "id location name properties tags type",
    );
  const principal = (command: string, appId: string) =>
    get(
      command,
      `/v1.0/servicePrincipals?$filter=${encodeURIComponent(`appId eq '${appId}'`)}`,
      "@odata.context value",
    );
  const assignments = (command: string) =>
    get(
      command,
      `${network}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01`,
      "value",
    );
  const assign = (
    command: string,
    scope: string,
    principalId: string | ((ids: ReadonlyMap<string, string>) => string),
    role: string,
    segment = "roleDefinitions",
  ): RecordedRequest => ({
    command,
    method: "PUT",
    path: `${scope}/providers/Microsoft.Authorization/roleAssignments/${crypto.randomUUID()}?api-version=2022-04-01`,
    body: (ids) => ({
      properties: {
        principalId: typeof principalId === "string" ? principalId : principalId(ids),
        principalType: "ServicePrincipal",
        roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/${segment}/${role}`,
      },
    }),
    status: 201,
    members: plain,
  });
  const makeNetwork: readonly RecordedRequest[] = [
    groupOf("network vnet create"),
    {
      command: "network vnet create",
      method: "PUT",
      path: `${network}?api-version=2025-07-01`,
      body: {
        location: "eastus",
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/9"] },
          ...{ enableDdosProtection: false, enableVmProtection: false },
        },
      },
      status: 201,
      members: "etag id location name properties type",
    },
    get("network vnet create", `${network}?api-version=2025-07-01`, "etag id location name properties type"),
    ...[
      ["master", "10.39.12.0/24"],
      ["worker", "10.107.70.0/24"],
    ].flatMap(([name = "", addressPrefix = ""]): readonly RecordedRequest[] => [
      {
        command: "network vnet subnet create",
        method: "PUT",
        path: `${network}/subnets/${name}?api-version=2024-07-01`,
        body: {
          name,
          properties: {
            ...{ addressPrefix, defaultOutboundAccess: false },
            ...{ privateEndpointNetworkPolicies: "Disabled", privateLinkServiceNetworkPolicies: "Enabled" },
            serviceEndpoints: [{ service: "Microsoft.ContainerRegistry" }],
          },
        },
        status: 201,
        members: subnetMembers,
      },
      subnet("network vnet subnet create", name, "2024-07-01"),
    ]),
    subnet("network vnet subnet update", "master", "2024-07-01"),
    {
      command: "network vnet subnet update",
      method: "PUT",
      path: `${network}/subnets/master?api-version=2024-07-01`,
      body: {
        id: `${network}/subnets/master`,
        name: "master",
        type: "Microsoft.Network/virtualNetworks/subnets",
        properties: {
          ...{ addressPrefix: "10.39.12.0/24", defaultOutboundAccess: false, delegations: [] },
          ...{ privateEndpointNetworkPolicies: "Disabled", privateLinkServiceNetworkPolicies: "Disabled" },
          serviceEndpoints: [{ locations: ["*"], service: "Microsoft.ContainerRegistry" }],
        },
      },
      status: 200,
      members: subnetMembers,
    },
    subnet("network vnet subnet update", "master", "2024-07-01"),
  ];
  const validate = (command: string): readonly RecordedRequest[] => [
    ...subnetsOf(command),
    get(command, `${network}?api-version=2022-01-01`, "etag id location name properties type"),
    get(
      command,
      `${network}/providers/Microsoft.Authorization/permissions?api-version=2022-05-01-preview`,
      "value",
    ),
    ...subnetsOf(command),
  ];
  const provider = get(
    "aro create",
    `${subscription}/providers/Microsoft.RedHatOpenShift?api-version=2024-11-01`,
    "authorizations id namespace registrationPolicy registrationState resourceTypes",
  );
  const clusterBody = (domain: string, version: string) => ({
    location: "eastus",
    tags: { test: "create" },
    properties: {
      ingressProfiles: [{ name: "default", visibility: "Public" }],
      masterProfile: {
        ...{ vmSize: "Standard_D8s_v5", encryptionAtHost: "Disabled" },
        subnetId: `${network}/subnets/master`,
      },
      clusterProfile: {
        ...{ pullSecret: "", domain, version, fipsValidatedModules: "Disabled" },
        resourceGroupId: `${subscription}/resourceGroups/aro-${domain}`,
      },
      workerProfiles: [
        {
          ...{ name: "worker", vmSize: "Standard_D4s_v5", diskSizeGB: 128, count: 3 },
          ...{ subnetId: `${network}/subnets/worker`, encryptionAtHost: "Disabled" },
        },
      ],
      apiserverProfile: { visibility: "Public" },
      networkProfile: {
        ...{ podCidr: "10.128.0.0/14", serviceCidr: "172.30.0.0/16" },
        ...{ outboundType: "", preconfiguredNSG: "Disabled" },
      },
    },
  });
  const ofCluster = (
    command: string,
    method: string,
    more: Partial<RecordedRequest> = {},
  ): RecordedRequest => ({
    ...{ command, method, path: `${clusterPath}?api-version=2025-07-25`, status: 200, members: cluster },
    ...more,
  });
  return {
    ...{ who, inGroup, network, clusterPath, identity, location, get, subnetsOf, groupOf, principal },
    ...{ assignments, assign, makeNetwork, validate, provider, clusterBody, ofCluster },
  };
}

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

/** @see Azure/ARO-RP, the same folder, test_aro_public_cluster_with_managed_identities.yaml and test_aro_get_versions.yaml */
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
