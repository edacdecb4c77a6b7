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

/** Endpoints of a custom cloud. */
const cloud = Type.Object(
  {
    armEndpoint: url("Azure Resource Manager"),
    loginEndpoint: url("identity provider"),
    audience: text("audience of ARM tokens"),
    vaultUrl: url("a key vault; {vault} stands for its name"),
    blobUrl: url("the blobs of a storage account; {account} stands for its name"),
    caFile: Type.Optional(text("PEM of a CA to trust in addition to the public ones")),
  },
  { ...closed, description: "a cloud that is not one of Azure's own, such as the simulated one" },
);

/** Configuration fields that every region needs. Each field is set for the region or for all regions. */
export const requiredFields = {
  acrResourceId: matching(
    "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.ContainerRegistry/registries/[A-Za-z0-9]{5,50}$",
    "ID of the container registry, in the global group",
  ),
  adminApiCaBundle: pem("CA certificates of administrators' client certificates"),
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
    description: "additional properties of the service's own configuration, such as `installer`",
  }),
  subscriptionResourceGroupLocation: text("region of the subscription's group"),
  subscriptionResourceGroupName: group("group that the regions of a subscription share"),
  vmSize: matching("^(Standard|Basic)_\\w+$", "size of the machines"),
};

const optionalFields = {
  acrLocationOverride: text("region of the registry. Default: the global group's region"),
  acrReplicaDisabled: Type.Boolean({ description: "omits the registry replica near the region" }),
  alertEmails: Type.Array(text("address"), { description: "e-mail addresses for alerts" }),
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
  databaseKind: Type.Enum(["cosmos", "postgres"], { description: "database for the documents" }),
  databaseSku: text("size of the PostgreSQL server"),
  gateway: Type.Record(Type.String(), Type.Unknown(), {
    description: "additional properties of the gateway's own configuration, such as `domains`",
  }),
  gatewayImage: text("container image instead of Keelson's gateway, with its tag"),
  gatewayVmSize: text("size of the gateway's machines"),
  gatewayVmssCapacity: Type.Integer({ minimum: 1, maximum: 7, description: "machines of the gateway" }),
  globalDevopsServicePrincipalId: guid("object ID of the deployer. Default: the signed-in principal"),
  keyvaultAllowedAddresses: Type.Array(
    matching(
      "^\\d{1,3}(\\.\\d{1,3}){3}(/\\d{1,2})?$",
      "public IPv4 address or range, for example 192.0.2.0/24",
    ),
    {
      minItems: 1,
      description:
        "addresses outside the service's network that reach the region's key vaults, such as deployment machines. Default: all addresses",
    },
  ),
  portalAccessGroupIds: groups("Entra ID groups that may view clusters in the portal"),
  portalClientId: guid("ID of the application for sign-in to the portal. Default: no portal"),
  portalElevatedGroupIds: groups("Entra ID groups with all rights in the portal"),
  portalOperatorGroupIds: groups("Entra ID groups that may also run low-risk actions"),
  rpLogLevel: Type.Enum(["trace", "debug", "info", "warn", "error"], {
    description: "minimum level of log lines",
  }),
  rpNsgPortalSourceAddressPrefixes: Type.Array(
    matching("^[\\w.:/]+$", "address range, for example 192.0.2.0/24, or service tag"),
    { description: "sources that reach the portal. Default: only its own network" },
  ),
  rpVmssCapacity: Type.Integer({ minimum: 1, maximum: 100, description: "machines of the region" }),
  serviceFiles: Type.Record(
    matching("^[\\w-][\\w.-]{0,99}$", "name of the file"),
    matching("^[0-9a-zA-Z-]{1,127}$", "secret of the region's vault"),
    {
      ...closed,
      description:
        "files that `service` names as /run/keelson/FILE, with their secrets in the vault. Each part gets the files of the fields that it reads",
    },
  ),
  sshPublicKey: matching(
    "^(ssh-rsa|ssh-ed25519) ",
    "SSH key of the machines. Default: a key with a discarded private half",
  ),
};

const fields = Type.Object({ ...requiredFields, ...optionalFields }, closed);

/** Configuration of a region. `requiredFields` lists the required fields. */
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
          gatewayResourceGroupName: Type.Optional(group("group of its gateway. Default: no gateway")),
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

/** Region with all required configuration fields. */
export interface Region {
  readonly location: string;
  readonly subscriptionId: string;
  readonly rpResourceGroupName: string;
  readonly gatewayResourceGroupName?: string;
  readonly configuration: Configuration;
}
