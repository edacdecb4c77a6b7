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
    armEndpoint: url("URL of Azure Resource Manager"),
    loginEndpoint: url("URL of the identity provider"),
    audience: text("audience of ARM tokens"),
    vaultUrl: url("URL of a key vault, with the placeholder {vault} for its name"),
    blobUrl: url("URL of the blobs of a storage account, with the placeholder {account} for its name"),
    caFile: Type.Optional(text("CA certificate to trust in addition to the public CAs, PEM")),
  },
  {
    ...closed,
    description: "endpoints of a cloud that is not an Azure cloud, for example the simulated Azure",
  },
);

/** Configuration fields that every region needs. Each field is set for the region or for all regions. */
export const requiredFields = {
  acrResourceId: matching(
    "^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.ContainerRegistry/registries/[A-Za-z0-9]{5,50}$",
    "resource ID of the container registry in the global resource group",
  ),
  adminApiCaBundle: pem("CA certificates of administrators' client certificates"),
  adminApiClientCertCommonName: text("common name (CN) of administrators' client certificates"),
  azureCloudName: Type.Enum(["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"], {
    description: "name of the Azure cloud",
  }),
  clusterParentDomainName: text("parent domain of the clusters of all regions"),
  databaseAccountName: matching(
    "^[a-z0-9][a-z0-9-]{1,42}[a-z0-9]$",
    "name of the Cosmos DB account or of the PostgreSQL server",
  ),
  fpClientId: guid("client ID of the service's Entra ID application"),
  fpServicePrincipalId: guid("object ID of the service principal of the service's application"),
  fpTenantId: guid("tenant of the service's application"),
  globalResourceGroupLocation: text("region of the global resource group"),
  globalResourceGroupName: group("global resource group, which all regions share"),
  globalSubscriptionId: guid("subscription of the global resource group"),
  keyvaultPrefix: matching("^[a-zA-Z][a-zA-Z0-9-]{1,19}$", "name prefix of the region's key vaults"),
  oidcStorageAccountName: matching(
    "^[a-z0-9]{3,24}$",
    "storage account whose website publishes the keys of clusters' service accounts",
  ),
  rpImagePrefix: text("container image of the service without a tag. The tag is the deployed version"),
  rpParentDomainName: text("parent domain of the service's host names"),
  rpVersionStorageAccountName: matching(
    "^[a-z0-9]{3,24}$",
    "storage account whose website publishes the version of each region",
  ),
  service: Type.Record(Type.String(), Type.Unknown(), {
    description: "additional properties of the service's own configuration, such as `installer`",
  }),
  subscriptionResourceGroupLocation: text("region of the resource group of the subscription"),
  subscriptionResourceGroupName: group("resource group that all regions of a subscription share"),
  vmSize: matching("^(Standard|Basic)_\\w+$", "VM size of the machines"),
};

const optionalFields = {
  acrLocationOverride: text("region of the container registry. Default: region of the global resource group"),
  acrReplicaDisabled: Type.Boolean({
    description: "true to create no replica of the container registry in the region",
  }),
  alertEmails: Type.Array(text("address"), { description: "e-mail addresses for alerts" }),
  cloud,
  cosmosDB: Type.Object(
    {
      standardProvisionedThroughput: Type.Integer({
        minimum: 400,
        description: "request units per second that all containers share",
      }),
    },
    closed,
  ),
  databaseKind: Type.Enum(["cosmos", "postgres"], { description: "database for the documents" }),
  databaseSku: text("size of the PostgreSQL server"),
  gateway: Type.Record(Type.String(), Type.Unknown(), {
    description: "additional properties of the gateway's own configuration, such as `domains`",
  }),
  gatewayImage: text("container image with its tag. It replaces Keelson's gateway"),
  gatewayVmSize: text("VM size of the gateway's machines"),
  gatewayVmssCapacity: Type.Integer({ minimum: 1, maximum: 7, description: "number of gateway machines" }),
  globalDevopsServicePrincipalId: guid(
    "object ID of the principal that deploys. Default: the signed-in principal",
  ),
  keyvaultAllowedAddresses: Type.Array(
    matching(
      "^\\d{1,3}(\\.\\d{1,3}){3}(/\\d{1,2})?$",
      "public IPv4 address or range, for example 192.0.2.0/24",
    ),
    {
      minItems: 1,
      description:
        "addresses outside the service's network that may connect to the region's key vaults, for example deployment machines. Default: all addresses",
    },
  ),
  portalAccessGroupIds: groups("Entra ID groups that may view clusters in the portal"),
  portalClientId: guid("client ID of the Entra ID application for sign-in to the portal. Default: no portal"),
  portalElevatedGroupIds: groups("Entra ID groups with all rights in the portal"),
  portalOperatorGroupIds: groups("Entra ID groups that may also run low-risk actions"),
  rpLogLevel: Type.Enum(["trace", "debug", "info", "warn", "error"], {
    description: "minimum level of log lines",
  }),
  rpNsgPortalSourceAddressPrefixes: Type.Array(
    matching("^[\\w.:/]+$", "address range, for example 192.0.2.0/24, or service tag"),
    { description: "address ranges that may connect to the portal. Default: no rule for the portal" },
  ),
  rpVmssCapacity: Type.Integer({ minimum: 1, maximum: 100, description: "number of machines in the region" }),
  serviceFiles: Type.Record(
    matching("^[\\w-][\\w.-]{0,99}$", "name of the file"),
    matching("^[0-9a-zA-Z-]{1,127}$", "secret of the region's vault"),
    {
      ...closed,
      description:
        "files that `service` refers to as /run/keelson/FILE, and the secrets in the vault with their contents. Each part gets the files of the fields that it reads",
    },
  ),
  sshPublicKey: matching(
    "^(ssh-rsa|ssh-ed25519) ",
    "public SSH key of the machines. Default: a new key. Its private key is discarded",
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

/** Schema of the field `configuration` with its required fields and defaults, for the reference document. */
export const regionConfigurationSchema = Type.Object(
  {
    ...requiredFields,
    ...Object.fromEntries(
      Object.entries({ ...optionalFields, ...defaultedFields() }).map(([name, field]) => [
        name,
        Type.Optional(field),
      ]),
    ),
  },
  closed,
);

/** Returns the fields with a default value, which their schemas contain. */
function defaultedFields() {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { ...optionalFields[name as Defaulted], default: value },
    ]),
  );
}

export type DeployConfig = Static<typeof deployConfigSchema>;

/** Region with all required configuration fields. */
export interface Region {
  readonly location: string;
  readonly subscriptionId: string;
  readonly rpResourceGroupName: string;
  readonly gatewayResourceGroupName?: string;
  readonly configuration: Configuration;
}
