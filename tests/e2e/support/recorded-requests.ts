/** Location and identities for the recorded commands. */
export interface RecordedPlace {
  readonly subscription: string;
  readonly group: string;
  /**
   * Client ID of the cluster's application. `principalId` is the object ID of this application's service principal.
   * `servicePrincipalId` is the object ID of the resource provider's service principal.
   */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly principalId: string;
  readonly servicePrincipalId: string;
}

/** Request of a recorded command with Azure's response. */
export interface RecordedRequest {
  readonly command: string;
  readonly method: string;
  /** Path with query. Paths with the prefix `/v1.0` belong to Microsoft Graph. */
  readonly path: string;
  readonly body?: object | ((ids: ReadonlyMap<string, string>) => object);
  readonly status: number;
  /** Names of the response's top-level properties in alphabetical order. */
  readonly members: string;
  /** True if the request starts an operation that the client polls until it has completed. */
  readonly operation?: true;
  /** Name under which the test stores `properties.principalId` of the response. */
  readonly principal?: string;
}

/** Top-level properties of a resource without location and tags. */
export const plain = "id name properties type";
const subnetMembers = "etag id name properties type";
const cluster = "id location name properties systemData tags type";

/** Returns requests that several recorded commands share. */
export function requestsAt({ subscription, group, ...who }: RecordedPlace) {
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
