import { type Static, Type } from "typebox";
import { Default, Errors } from "typebox/value";
import { configErrors } from "./config-errors.ts";

const port = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description });
const file = (description: string) => Type.String({ minLength: 1, description });
const closed = { additionalProperties: false };

/** Everything a resource provider process is told. Unknown members are refused. Times are in milliseconds. */
export const serviceConfigSchema = Type.Object(
  {
    location: Type.String({ minLength: 1, description: "Azure region served, for example eastus" }),
    domain: Type.String({
      minLength: 1,
      description: "parent domain of managed clusters; a DNS zone of this name exists",
    }),
    tenantId: Type.String({ description: "tenant of the service and, embedded, of its customers" }),
    subscriptionId: Type.String({ description: "subscription that holds the service's own resources" }),
    resourceGroup: Type.String({ description: "resource group of the service, with the DNS zone" }),
    host: Type.String({ default: "127.0.0.1", description: "address to listen on" }),
    port: port("port of the ARM API; 0 takes a free one", 8443),
    metricsPort: port("port of the Prometheus metrics; 0 takes a free one", 9402),
    tls: Type.Object(
      { certificateFile: file("serving certificate, PEM"), keyFile: file("its private key, PEM") },
      closed,
    ),
    callers: Type.Union(
      [
        Type.Object({ kind: Type.Literal("anyone") }, closed),
        Type.Object(
          {
            kind: Type.Literal("certificates"),
            armFile: file("PEM bundle of the client certificates that ARM may present"),
            adminFile: file("PEM bundle of the client certificates of administrators"),
          },
          closed,
        ),
      ],
      { description: "who may call; `anyone` is for development on loopback" },
    ),
    azure: Type.Object(
      {
        armEndpoint: Type.String({
          description: "Azure Resource Manager, for example https://management.azure.com",
        }),
        loginEndpoint: Type.String({
          description: "identity provider, for example https://login.microsoftonline.com",
        }),
        audience: Type.String({ description: "audience of ARM tokens" }),
        caFile: Type.Optional(file("PEM of an authority to trust besides the well-known ones")),
        pollIntervalMs: Type.Integer({
          minimum: 10,
          default: 10_000,
          description: "time between polls of long-running operations that name none",
        }),
      },
      closed,
    ),
    firstParty: Type.Object(
      {
        clientId: Type.String(),
        clientSecret: Type.String({ description: "secret of the service's application" }),
      },
      closed,
    ),
    database: Type.Union([
      Type.Object(
        { kind: Type.Literal("embedded"), directory: file("data directory of the embedded PostgreSQL") },
        closed,
      ),
      Type.Object(
        {
          kind: Type.Literal("postgres"),
          url: Type.String({ description: "postgres://user:password@host/db" }),
        },
        closed,
      ),
    ]),
    encryption: Type.Object(
      {
        current: Type.String({ description: "id of the key for new writes" }),
        keys: Type.Record(Type.String(), Type.String({ description: "32 bytes, base64" })),
      },
      closed,
    ),
    skipTokenKey: Type.String({ description: "32 bytes, base64; seals $skipToken" }),
    installer: Type.Object(
      {
        kind: Type.Literal("simulated"),
        clustersUrl: Type.String({ description: "URL of the simulated clusters' API server" }),
        caFile: file("PEM of the authority of its serving certificate"),
      },
      closed,
    ),
    certificateIssuer: Type.Object(
      {
        kind: Type.Literal("local"),
        caFile: file("authority, PEM"),
        caKeyFile: file("its private key, PEM"),
      },
      closed,
    ),
    authorizationRetry: Type.Object(
      {
        everyMs: Type.Integer({ minimum: 1, default: 30_000 }),
        forMs: Type.Integer({ minimum: 0, default: 600_000 }),
      },
      {
        ...closed,
        default: {},
        description: "how long new rights and secrets may take to reach all of Azure",
      },
    ),
    versions: Type.Array(
      Type.Object(
        { version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+" }), default: Type.Boolean() },
        closed,
      ),
      {
        default: [],
        description:
          "OpenShift versions to add where they are missing; afterwards they are the admin API's. Exactly one is the default",
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
        description: "roles of managed identities by OpenShift minor version, to add where they are missing",
      },
    ),
    retryAfterSeconds: Type.Integer({
      minimum: 1,
      default: 30,
      description: "how long clients wait between polls",
    }),
    workers: Type.Integer({ minimum: 1, default: 100, description: "clusters worked on at once" }),
    leaseMs: Type.Integer({
      minimum: 1_000,
      default: 60_000,
      description: "a silent worker loses its cluster after this",
    }),
    heartbeatMs: Type.Integer({
      minimum: 100,
      default: 10_000,
      description: "time between renewals of a lease",
    }),
    drainMs: Type.Integer({
      minimum: 0,
      default: 60_000,
      description: "time for running steps to end after SIGTERM",
    }),
  },
  closed,
);

export type ServiceConfig = Static<typeof serviceConfigSchema>;

/**
 * Parses a configuration, filling defaults.
 * @throws InvalidConfiguration naming every member at fault
 */
export function parseServiceConfig(value: unknown, source: string): ServiceConfig {
  const filled = Default(serviceConfigSchema, structuredClone(value));
  const problems = Errors(serviceConfigSchema, filled).map(
    (each) => `${each.instancePath || "/"} ${each.message}`,
  );
  if (problems.length > 0) {
    throw configErrors.InvalidConfiguration(`${source}: ${[...new Set(problems)].join("; ")}`);
  }
  return Object.freeze(filled as ServiceConfig);
}
