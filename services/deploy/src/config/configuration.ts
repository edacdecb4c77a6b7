import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const matching = (pattern: string, description: string) => Type.String({ pattern, description });
const guid = (description: string) =>
  matching("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", description);
const url = (description: string) => matching("^https://", description);
const pem = (description: string) => matching("-----BEGIN CERTIFICATE-----", description);
const groups = (description: string) => Type.Array(guid("object ID of a group"), { description });
const group = (description: string) => matching("^[\\w.()-]{1,90}$", description);

/** Endpoints of a cloud other than Azure's own. */
const cloud = Type.Object(
  {
    armEndpoint: url("Azure Resource Manager"),
    loginEndpoint: url("identity provider"),
    audience: text("audience of ARM tokens"),
    vaultUrl: url("a key vault; {vault} stands for its name"),
    blobUrl: url("the blobs of a storage account; {account} stands for its name"),
    caFile: Type.Optional(text("PEM of an authority to trust besides the well-known ones")),
  },
  { ...closed, description: "a cloud that is not one of Azure's own, such as the simulated one" },
);

/** Fields that a region needs, in its own configuration or in that of all regions. */
export const requiredFields = {
  acrResourceId: matching(
    "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.ContainerRegistry/registries/[A-Za-z0-9]{5,50}$",
    "ID of the container registry, in the global group",
  ),
  adminApiCaBundle: pem("authorities that may issue the certificates of administrators"),
  adminApiClientCertCommonName: text("common name of administrators' certificates"),
  azureCloudName: Type.Enum(["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"], {
    description: "which of Azure's clouds",
  }),
  clusterParentDomainName: text("domain above the clusters of all regions"),
  databaseAccountName: matching(
    "^[a-z0-9][a-z0-9-]{1,42}[a-z0-9]$",
    "name of the account of Cosmos DB, or of the PostgreSQL server",
  ),
  fpClientId: guid("ID of the service's own application"),
  fpServicePrincipalId: guid("object ID of its service principal"),
  fpTenantId: guid("its tenant"),
  globalResourceGroupLocation: text("region of the group that all regions share"),
  globalResourceGroupName: group("group that all regions share"),
  globalSubscriptionId: guid("its subscription"),
  keyvaultPrefix: matching("^[a-zA-Z][a-zA-Z0-9-]{1,19}$", "start of the names of the region's key vaults"),
  oidcStorageAccountName: matching(
    "^[a-z0-9]{3,24}$",
    "storage account whose website publishes the keys of clusters' service accounts",
  ),
  rpImagePrefix: text("container image of the service, without its tag, which is the version"),
  rpParentDomainName: text("domain above the addresses of the service itself"),
  rpVersionStorageAccountName: matching(
    "^[a-z0-9]{3,24}$",
    "storage account whose website publishes the version of each region",
  ),
  service: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "members of the service's own configuration that follow from nothing here, such as `installer`",
  }),
  subscriptionResourceGroupLocation: text("region of the subscription's group"),
  subscriptionResourceGroupName: group("group that the regions of a subscription share"),
  vmSize: matching("^(Standard|Basic)_\\w+$", "size of the machines"),
};

const optionalFields = {
  acrLocationOverride: text("region of the registry, where it is not the global group's"),
  acrReplicaDisabled: Type.Boolean({ description: "leaves out the copy of the images near the region" }),
  alertEmails: Type.Array(text("address"), { description: "whom alerts write to" }),
  cloud,
  cosmosDB: Type.Object(
    {
      standardProvisionedThroughput: Type.Integer({
        minimum: 400,
        description: "request units a second that all containers share",
      }),
    },
    closed,
  ),
  databaseKind: Type.Enum(["cosmos", "postgres"], { description: "what keeps the documents" }),
  databaseSku: text("size of the PostgreSQL server"),
  gateway: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "members of the gateway's own configuration that follow from nothing here, such as `domains`",
  }),
  gatewayImage: text("container image in the place of Keelson's gateway; its tag included"),
  gatewayVmSize: text("size of the gateway's machines"),
  gatewayVmssCapacity: Type.Integer({ minimum: 1, maximum: 7, description: "machines of the gateway" }),
  globalDevopsServicePrincipalId: guid("object ID of who deploys; absent: of who is signed in"),
  keyvaultAllowedAddresses: Type.Array(
    matching(
      "^\\d{1,3}(\\.\\d{1,3}){3}(/\\d{1,2})?$",
      "public IPv4 address or range, for example 192.0.2.0/24",
    ),
    {
      minItems: 1,
      description:
        "addresses, besides the service's network, that reach the region's key vaults, such as those of machines that deploy; without it all addresses do",
    },
  ),
  portalAccessGroupIds: groups("groups of Entra ID whose people may see clusters in the portal"),
  portalClientId: guid("ID of the application by which people sign in to the portal; without it none runs"),
  portalElevatedGroupIds: groups("groups of those who may do everything there"),
  portalOperatorGroupIds: groups("groups of those who may also do what is no risk"),
  rpLogLevel: Type.Enum(["trace", "debug", "info", "warn", "error"], {
    description: "least level of log lines",
  }),
  rpNsgPortalSourceAddressPrefixes: Type.Array(
    matching("^[\\w.:/]+$", "address range, for example 192.0.2.0/24, or service tag"),
    { description: "from where the portal is reached; else from its network alone" },
  ),
  rpVmssCapacity: Type.Integer({ minimum: 1, maximum: 100, description: "machines of the region" }),
  serviceFiles: Type.Record(
    matching("^[\\w-][\\w.-]{0,99}$", "name of the file"),
    matching("^[0-9a-zA-Z-]{1,127}$", "secret of the region's vault"),
    {
      ...closed,
      description:
        "files that `service` names as /run/keelson/FILE, with the vault's secret of each; parts that read the field get the file",
    },
  ),
  sshPublicKey: matching("^(ssh-rsa|ssh-ed25519) ", "opens the machines; else nobody has the key"),
};

const fields = Type.Object({ ...requiredFields, ...optionalFields }, closed);

/** The configuration of a region. Required members are those of `requiredFields`. */
const partialConfigurationSchema = Type.Partial(fields, closed);

type Fields = Static<typeof fields>;
type Required = keyof typeof requiredFields;
type Defaulted = "databaseKind" | "gatewayVmSize" | "gatewayVmssCapacity" | "rpLogLevel" | "rpVmssCapacity";

export const defaults = {
  databaseKind: "cosmos",
  gatewayVmSize: "Standard_D8s_v4",
  gatewayVmssCapacity: 3,
  rpLogLevel: "info",
  rpVmssCapacity: 3,
} as const satisfies Partial<Fields>;

export type Configuration = Pick<Fields, Required | Defaulted> & Partial<Fields>;

export const deployConfigSchema = Type.Object(
  {
    rps: Type.Array(
      Type.Object(
        {
          location: matching("^[a-z0-9]+$", "Azure region, lower case"),
          subscriptionId: guid("subscription of the region"),
          rpResourceGroupName: group("group of the region's resource provider"),
          gatewayResourceGroupName: Type.Optional(group("group of its gateway; without it there is none")),
          configuration: Type.Optional(partialConfigurationSchema),
        },
        closed,
      ),
      { minItems: 1 },
    ),
    configuration: Type.Optional(partialConfigurationSchema),
  },
  closed,
);

export type DeployConfig = Static<typeof deployConfigSchema>;

/** One region with its whole configuration. */
export interface Region {
  readonly location: string;
  readonly subscriptionId: string;
  readonly rpResourceGroupName: string;
  readonly gatewayResourceGroupName?: string;
  readonly configuration: Configuration;
}
