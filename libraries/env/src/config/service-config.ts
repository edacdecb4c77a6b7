import { hostSuffixPattern, identityUrlFault, publicIdentityHostSuffix } from "@keelson/azure";
import { describeSchemaFaults } from "@keelson/base";
import { defaultRetention } from "@keelson/model";
import { type Static, Type } from "typebox";
import { Default } from "typebox/value";
import { allErrors } from "../files/all-errors.ts";
import { type CheckedConfig, invalidConfiguration, type OnConfigWarnings } from "../files/config-errors.ts";
import {
  type InstallerKinds,
  installerKinds,
  installerProblems,
  installerSchema,
  withInstallerDefaults,
} from "../installers/installer-kinds.ts";
import { azureSchema, firstPartySchema } from "./azure-config.ts";
import { callersSchema } from "./callers-config.ts";
import { certificateIssuerSchema } from "./certificate-issuer-config.ts";
import { databaseProblems, databaseSchema } from "./database-config.ts";
import { withRoles } from "./field-roles.ts";
import { firstPartyProblems } from "./first-party.ts";
import { hiveSchema } from "./hive-config.ts";
import { isLoopbackAddress } from "./loopback.ts";
import { monitorProblems, monitorSchema } from "./monitor-config.ts";
import { portalSchema } from "./portal-config.ts";
import { schemaVersionSchema, withoutNewerFields } from "./schema-version.ts";
import { telemetrySchema } from "./telemetry-config.ts";

const port = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description });
const days = (description: string, value: number) =>
  Type.Integer({ minimum: 7, maximum: 3_650, default: value, description });
/** Schema of a file name. A running process reads the file again after a change. */
const rereadFile = (description: string) => Type.String({ minLength: 1, description, reread: true });
const closed = { additionalProperties: false };

const machineImageSchema = Type.Object(
  {
    publisher: Type.String({ minLength: 1 }),
    offer: Type.String({ minLength: 1 }),
    sku: Type.String({ minLength: 1 }),
    version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$", description: "for example 419.6.20250523" }),
  },
  closed,
);

const machineImagesSchema = Type.Object(
  { hyperVGen1: Type.Optional(machineImageSchema), hyperVGen2: Type.Optional(machineImageSchema) },
  {
    ...closed,
    minProperties: 1,
    description:
      "marketplace images of machines: the object no-purchase-plan of the release's stream data. Default for 4.16 to 4.21: the published images",
  },
);

/**
 * Token bucket of a rate limit. For reads, Azure Resource Manager uses a burst of 250 requests and a rate of 25 per second. For
 * writes and for deletes, the burst is 200 requests and the rate is 10 per second.
 */
const requestLimitSchema = Type.Object(
  {
    burst: Type.Integer({ minimum: 1, description: "maximum burst of requests" }),
    perSecond: Type.Number({
      exclusiveMinimum: 0,
      description: "number of requests per second after the burst",
    }),
  },
  closed,
);

const operationsSchema = Type.Object(
  {
    running: Type.Integer({
      minimum: 1,
      default: 25,
      description: "maximum number of concurrent operations in all processes",
    }),
    queued: Type.Integer({
      minimum: 0,
      default: 250,
      description:
        "maximum number of unfinished operations in addition to running operations. Beyond it, the ARM API returns 429 OperationsThrottled",
    }),
  },
  { ...closed, description: "limits of each subscription" },
);

/** Default limits. Generated configuration files omit this field, because earlier releases reject it. */
export const defaultOperationsPerSubscription: Static<typeof operationsSchema> = { running: 25, queued: 250 };

/** Configuration of the resource provider. Unknown fields are rejected. Times are in milliseconds. */
const serviceConfigSchema = Type.Object(
  {
    schemaVersion: schemaVersionSchema,
    location: Type.String({ minLength: 1, description: "Azure region served, for example eastus" }),
    domain: Type.String({
      minLength: 1,
      description: "parent domain of managed clusters; a DNS zone with this name must exist",
    }),
    tenantId: Type.String({
      description: "tenant of the service. With `keelson up`, also the tenant of its customers",
    }),
    subscriptionId: Type.String({ description: "subscription with the service's own resources" }),
    resourceGroup: Type.String({ description: "resource group of the service, with the DNS zone" }),
    containerRegistry: Type.Optional(
      Type.Object(
        {
          resourceId: Type.String({
            pattern: "^/subscriptions/",
            description: "resource ID of the registry",
          }),
          domain: Type.String({
            minLength: 1,
            description: "host of the registry, for example name.azurecr.io",
          }),
          url: Type.Optional(
            Type.String({
              pattern: "^https://",
              description:
                "URL of the registry that clusters test for reachability. Default: https://DOMAIN/",
            }),
          ),
        },
        {
          ...closed,
          description:
            "registry of OpenShift's images. Each cluster gets a token for this registry. Without this section, clusters use the pull secrets of their customers",
        },
      ),
    ),
    gatewayResourceGroup: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "resource group of the gateway between clusters and the service. Without it, clusters use no gateway",
      }),
    ),
    gatewayDomains: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "additional domains that clusters reach through the gateway. Domains of Azure, the registry and the cluster are always included",
    }),
    serviceDomain: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "parent domain of the service. Clusters send logs through the gateway to the host telemetry.LOCATION in this domain",
      }),
    ),
    environmentType: Type.String({
      default: "production",
      description: "environment type in the logs of clusters (flag aro.environment of their operator)",
    }),
    clusterAddress: Type.Optional(
      Type.String({
        pattern: "^\\d{1,3}(\\.\\d{1,3}){3}(:\\d{1,5})?$",
        description:
          "address of all API servers in a simulated cloud. Connections to names that begin with api-int use this address instead of the cluster's private endpoint",
      }),
    ),
    disableDenyAssignments: Type.Boolean({
      default: false,
      description:
        "true if the service does not create deny assignments. Customers then keep their permissions in the resource groups of their clusters",
    }),
    host: Type.String({ default: "127.0.0.1", description: "address to listen on" }),
    port: port("port of the ARM API; 0 selects a free port", 8443),
    metricsPort: port("port of the Prometheus metrics; 0 selects a free port", 9402),
    tls: Type.Object(
      {
        certificateFile: rereadFile("serving certificate, PEM"),
        keyFile: rereadFile("private key of the certificate, PEM"),
      },
      closed,
    ),
    callers: callersSchema,
    azure: azureSchema,
    firstParty: firstPartySchema,
    database: databaseSchema,
    encryption: Type.Union([
      Type.Object(
        {
          current: Type.String({ description: "ID of the key for new writes", reread: true }),
          keys: Type.Record(Type.String(), Type.String({ description: "32 bytes, base64" }), {
            secret: true,
            reread: true,
            description: "keys of 32 bytes, base64, by ID",
          }),
        },
        closed,
      ),
      Type.Object(
        {
          keysFile: rereadFile("JSON file with `current` and `keys`"),
          refreshMs: Type.Integer({
            minimum: 100,
            default: 60_000,
            description: "interval between reads of the file",
          }),
        },
        closed,
      ),
      Type.Object(
        {
          keyVault: Type.Object(
            {
              url: Type.String({
                pattern: "^https://",
                description: "key vault, for example https://name.vault.azure.net",
              }),
              secretName: Type.String({
                pattern: "^[0-9a-zA-Z-]{1,127}$",
                reread: true,
                description: "secret with the keys: each enabled version is a key of 32 bytes, base64",
              }),
              audience: Type.String({
                default: "https://vault.azure.net",
                description: "resource of tokens for the vault",
              }),
            },
            closed,
          ),
          refreshMs: Type.Integer({
            minimum: 100,
            default: 300_000,
            description:
              "interval between polls of the vault. After two intervals, a new version is used for encryption",
          }),
        },
        closed,
      ),
    ]),
    skipTokenKey: Type.String({
      description: "32 bytes, base64. Encrypts $skipToken",
      secret: true,
      reread: true,
    }),
    otherSkipTokenKeys: Type.Array(Type.String(), {
      default: [],
      description: "further keys of 32 bytes, base64, that decrypt $skipToken during a rotation",
      secret: true,
      reread: true,
    }),
    installer: installerSchema,
    operatorImage: Type.String({
      pattern: "^[^\\s@]+:[\\w][\\w.-]{0,127}$",
      description:
        "container image of the operator in clusters, with its tag, for example name.azurecr.io/keelson:VERSION. A cluster's operatorVersion replaces the tag",
    }),
    certificateIssuer: certificateIssuerSchema,
    managedIdentities: Type.Optional(
      Type.Object(
        {
          audience: Type.String({
            description: "resource of tokens for the data plane of managed identities",
          }),
          hostSuffix: Type.String({
            pattern: hostSuffixPattern,
            default: publicIdentityHostSuffix,
            description:
              "host of the managed identity data plane, or domain of its hosts, with the port if it is not 443. The service sends tokens for the data plane only to these hosts. Azure Government: identity.usgovcloudapi.net",
          }),
          identityUrl: Type.Optional(
            Type.String({
              pattern: "^https://",
              description:
                "URL of the credentials of clusters' identities. It is used if a request has no header x-ms-identity-url, which Azure Resource Manager sends",
            }),
          ),
          homeTenantId: Type.Optional(
            Type.String({
              description:
                "tenant of clusters' identities. It is used if a request has no header x-ms-home-tenant-id",
            }),
          ),
          checkAccess: Type.Object(
            {
              url: Type.String({
                pattern: "^https://",
                description:
                  "CheckAccess API, which reports the permissions of identities: https://REGION.authorization.azure.net/providers/Microsoft.Authorization/checkAccess?api-version=2021-06-01-preview",
              }),
              audience: Type.String({
                default: "https://authorization.azure.net",
                description: "resource of tokens for the CheckAccess API",
              }),
            },
            closed,
          ),
          oidcIssuer: Type.Object(
            {
              endpoint: Type.String({
                pattern: "^https://",
                description:
                  "prefix of the issuer URLs of service account tokens. Azure reads the signing keys from it",
              }),
              containerUrl: Type.String({
                pattern: "^https://",
                description: "blob container that serves this URL",
              }),
              keyBits: Type.Integer({
                minimum: 2_048,
                default: 4_096,
                description: "length of the keys that sign tokens",
              }),
            },
            closed,
          ),
        },
        {
          ...closed,
          description:
            "clusters with managed identities. Without this section, the service rejects such clusters",
        },
      ),
    ),
    authorizationRetry: Type.Object(
      {
        everyMs: Type.Integer({ minimum: 1, default: 30_000 }),
        forMs: Type.Integer({ minimum: 0, default: 600_000 }),
      },
      {
        ...closed,
        default: {},
        description: "interval and limit of retries while new permissions and secrets propagate in Azure",
      },
    ),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+" }),
          default: Type.Boolean(),
          machineImages: Type.Optional(machineImagesSchema),
        },
        closed,
      ),
      {
        default: [],
        description:
          "OpenShift versions. Missing versions are added at start. Use the admin API for later changes. Exactly one version is the default",
      },
    ),
    roleSets: Type.Array(
      Type.Object(
        {
          openShiftVersion: Type.String({ pattern: "^\\d+\\.\\d+$", description: "minor version" }),
          platformWorkloadIdentityRoles: Type.Array(
            Type.Object(
              {
                operatorName: Type.String({ minLength: 1 }),
                roleDefinitionName: Type.String({ minLength: 1 }),
                roleDefinitionId: Type.String({ minLength: 1 }),
                serviceAccounts: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
                secretLocation: Type.Object({ namespace: Type.String(), name: Type.String() }, closed),
              },
              closed,
            ),
            { minItems: 1 },
          ),
        },
        closed,
      ),
      {
        default: [],
        description:
          "roles of managed identities by OpenShift minor version. Missing role sets are added at start",
      },
    ),
    portal: Type.Optional(portalSchema),
    hive: Type.Optional(hiveSchema),
    telemetry: telemetrySchema,
    monitor: Type.Optional(monitorSchema),
    retention: Type.Object(
      {
        operationDays: days("operations of clusters and their journals", defaultRetention.operationDays),
        adminActionDays: days("actions of administrators", defaultRetention.adminActionDays),
        recordingDays: days("recordings of SSH connections", defaultRetention.recordingDays),
      },
      { ...closed, default: {}, description: "days for which finished records are stored" },
    ),
    retryAfterSeconds: Type.Integer({
      minimum: 1,
      default: 30,
      description: "time between polls of clients (Retry-After)",
    }),
    workers: Type.Integer({
      minimum: 1,
      default: 100,
      description: "maximum number of clusters that this process works on concurrently",
    }),
    requestLimits: Type.Optional(
      Type.Object(
        {
          reads: Type.Optional(requestLimitSchema),
          writes: Type.Optional(requestLimitSchema),
          deletes: Type.Optional(requestLimitSchema),
        },
        {
          ...closed,
          description:
            "request limits of one subscription in each process, by kind. Not needed behind Azure Resource Manager, which has its own limits",
        },
      ),
    ),
    operationsPerSubscription: Type.Optional(operationsSchema),
    leaseMs: Type.Integer({
      minimum: 1_000,
      default: 60_000,
      description: "time without a heartbeat after which a worker loses its cluster",
    }),
    heartbeatMs: Type.Integer({
      minimum: 100,
      default: 10_000,
      description: "time between renewals of a lease",
    }),
    serveOnMs: Type.Integer({
      minimum: 0,
      default: 80_000,
      description:
        "time after SIGTERM during which the ARM API and the portal report not ready but still serve requests. Load balancers need it to detect the drain",
    }),
    drainMs: Type.Integer({
      minimum: 0,
      default: 60_000,
      description: "time limit after SIGTERM for running steps",
    }),
  },
  closed,
);

export type ServiceConfig = Static<typeof serviceConfigSchema>;

/** Fields that only the resource provider reads. */
type ProviderField = "tls" | "callers" | "skipTokenKey" | "installer";

/** Configuration of roles other than the resource provider. Fields that only the resource provider reads are optional. */
export type RoleConfig = Omit<ServiceConfig, ProviderField> & Partial<Pick<ServiceConfig, ProviderField>>;

const { tls, callers, skipTokenKey, installer } = serviceConfigSchema.properties;
const roleConfigSchema = Type.Object(
  {
    ...serviceConfigSchema.properties,
    tls: Type.Optional(tls),
    callers: Type.Optional(callers),
    skipTokenKey: Type.Optional(skipTokenKey),
    installer: Type.Optional(installer),
  },
  closed,
);

/**
 * Parses the resource provider's configuration and adds defaults. `kinds` are the permitted installers.
 * `onWarnings` receives the ignored fields of a newer schema version.
 * @throws InvalidConfiguration naming every invalid field
 */
export function parseServiceConfig(
  value: unknown,
  source: string,
  kinds: InstallerKinds = installerKinds,
  onWarnings?: OnConfigWarnings,
): ServiceConfig {
  return Object.freeze(valid(checkServiceConfig(value, kinds), source, onWarnings) as ServiceConfig);
}

/**
 * Parses the configuration of a role other than the resource provider.
 * @throws InvalidConfiguration naming every invalid field
 */
export function parseRoleConfig(
  value: unknown,
  source: string,
  kinds: InstallerKinds = installerKinds,
  onWarnings?: OnConfigWarnings,
): RoleConfig {
  return Object.freeze(valid(checkRoleConfig(value, kinds), source, onWarnings) as RoleConfig);
}

/** Adds defaults to a resource provider configuration and returns its faults and warnings. */
export function checkServiceConfig(value: unknown, kinds: InstallerKinds = installerKinds): CheckedConfig {
  return check(serviceConfigSchema, value, kinds);
}

/** Adds defaults to the configuration of a role other than the resource provider and returns its faults and warnings. */
export function checkRoleConfig(value: unknown, kinds: InstallerKinds = installerKinds): CheckedConfig {
  return check(roleConfigSchema, value, kinds);
}

/**
 * Returns the JSON Schema of the resource provider's configuration, including the schemas of the installers. The annotation `roles`
 * lists the commands that use a field.
 */
export function serviceConfigJsonSchema(kinds: InstallerKinds = installerKinds): object {
  const installer = Type.Union(Object.values(kinds).map(({ schema }) => schema));
  return { ...serviceConfigSchema, properties: withRoles({ ...serviceConfigSchema.properties, installer }) };
}

function valid(
  { config, faults, warnings }: CheckedConfig,
  source: string,
  onWarnings?: OnConfigWarnings,
): unknown {
  if (faults.length > 0) throw invalidConfiguration(source, faults);
  onWarnings?.(warnings);
  return config;
}

function check(
  schema: typeof serviceConfigSchema | typeof roleConfigSchema,
  given: unknown,
  kinds: InstallerKinds,
): CheckedConfig {
  const { value, warnings } = withoutNewerFields(serviceConfigJsonSchema(kinds), given);
  const filled = Object(Default(schema, structuredClone(value)));
  const hasInstaller = schema === serviceConfigSchema || Object.hasOwn(filled, "installer");
  const installer = withInstallerDefaults(filled.installer, kinds);
  const ofInstaller = hasInstaller ? installerProblems(installer, Object.hasOwn(filled, "hive"), kinds) : [];
  const others = describeSchemaFaults(schema, filled, (schema, each) =>
    // Ignores `installer`, because the installer kind validates it.
    allErrors(schema, each).filter(({ instancePath }) => !/^\/installer(?:\/|$)/.test(instancePath)),
  );
  const faults = [...new Set([...others, ...ofInstaller, ...contradictions(filled)])];
  return { config: hasInstaller ? { ...filled, installer } : filled, faults, warnings };
}

/** Returns contradictions between fields. */
function contradictions({
  database,
  leaseMs,
  heartbeatMs,
  versions,
  managedIdentities,
  callers,
  host,
  monitor,
  firstParty,
}: Partial<ServiceConfig>): readonly string[] {
  const problems: string[] = [
    ...monitorProblems(monitor),
    ...databaseProblems(database),
    ...firstPartyProblems(firstParty),
  ];
  if (typeof leaseMs === "number" && typeof heartbeatMs === "number" && heartbeatMs >= leaseMs)
    problems.push("/heartbeatMs must be less than /leaseMs: otherwise leases expire before their renewal");
  if (Array.isArray(versions) && versions.filter((each) => each?.default === true).length > 1)
    problems.push("/versions must have one default only");
  if (callers?.kind === "anyone" && typeof host === "string" && !isLoopbackAddress(host)) {
    problems.push(
      `/host must be a loopback address such as 127.0.0.1, not ${JSON.stringify(host)}, where /callers is of the kind anyone; make the kind verified to listen elsewhere`,
    );
  }
  const { identityUrl, hostSuffix } = Object(managedIdentities);
  if (typeof identityUrl === "string" && typeof hostSuffix === "string") {
    const fault = identityUrlFault(identityUrl, hostSuffix);
    if (fault)
      problems.push(`/managedIdentities/identityUrl must be ${fault}: /managedIdentities/hostSuffix`);
  }
  return problems;
}
