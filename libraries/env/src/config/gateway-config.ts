import { findAzureCloud, registryDataDomain } from "@keelson/azure";
import { describeSchemaFaults } from "@keelson/base";
import { type Static, Type } from "typebox";
import { Default } from "typebox/value";
import { allErrors } from "../files/all-errors.ts";
import {
  type CheckedConfig,
  configErrors,
  invalidConfiguration,
  type OnConfigWarnings,
} from "../files/config-errors.ts";
import { readObject } from "../files/config-object.ts";
import { azureSchema, firstPartySchema } from "./azure-config.ts";
import { databaseProblems, databaseSchema } from "./database-config.ts";
import { firstPartyProblems } from "./first-party.ts";
import { schemaVersionSchema, withoutNewerFields } from "./schema-version.ts";
import { telemetrySchema } from "./telemetry-config.ts";

const closed = { additionalProperties: false };
const port = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: value, description });
const milliseconds = (description: string, value: number) =>
  Type.Integer({ minimum: 0, default: value, description });
const count = (description: string, value: number) =>
  Type.Integer({ minimum: 1, default: value, description });

/**
 * Configuration of a gateway process. It contains no document encryption key. Unknown fields are rejected. Times are in
 * milliseconds.
 */
export const gatewayConfigSchema = Type.Object(
  {
    schemaVersion: schemaVersionSchema,
    location: Type.String({ minLength: 1, description: "Azure region served, for example eastus" }),
    host: Type.String({ default: "127.0.0.1", description: "address to listen on" }),
    connectPort: port("port of HTTP CONNECT; 0 selects a free port", 8_080),
    tlsPort: port("port of TLS connections; 0 selects a free port", 8_443),
    metricsPort: port("port of health checks and Prometheus metrics; 0 selects a free port", 8_081),
    domains: Type.Array(Type.String({ pattern: "^(\\*\\.)?[A-Za-z0-9._-]+$" }), {
      default: [],
      description:
        "hosts that all clusters may reach in addition to those of Azure and of the registry. *.example.com matches all hosts below that domain",
    }),
    azure: azureSchema,
    storageSuffix: Type.Optional(
      Type.String({
        minLength: 1,
        description: "suffix of storage accounts, required if the cloud is not an Azure cloud",
      }),
    ),
    registryDomain: Type.Optional(
      Type.String({
        minLength: 1,
        description: "registry of OpenShift's images, for example name.azurecr.io",
      }),
    ),
    database: databaseSchema,
    tenantId: Type.Optional(Type.String({ description: "tenant of `firstParty` or `machineIdentity`" })),
    firstParty: Type.Optional(firstPartySchema),
    machineIdentity: Type.Optional(
      Type.Object(
        { clientId: Type.String({ minLength: 1, description: "managed identity of the machine" }) },
        { ...closed, description: "identity that reads a Cosmos DB without `key`, instead of `firstParty`" },
      ),
    ),
    telemetry: telemetrySchema,
    limits: Type.Object(
      {
        perCluster: count("open connections of one cluster", 2_000),
        total: count("open connections of all clusters", 20_000),
        idleMs: count("time without traffic after which a connection is closed", 900_000),
      },
      { ...closed, default: {} },
    ),
    handshakeMs: count("time limit for the client's request, and for the connection to the host", 10_000),
    serveOnMs: milliseconds(
      "time after SIGTERM in which the gateway is not ready but still accepts connections",
      45_000,
    ),
    drainMs: milliseconds("additional time for open connections to end", 60_000),
  },
  closed,
);

export type GatewayConfig = Static<typeof gatewayConfigSchema>;

/**
 * Reads a gateway configuration file. `onWarnings` receives the ignored fields of a newer schema version.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readGatewayConfig(
  path: string,
  overrides: Partial<GatewayConfig> = {},
  onWarnings?: OnConfigWarnings,
): GatewayConfig {
  const { config, faults, warnings } = checkGatewayConfig({ ...readObject(path), ...overrides });
  if (faults.length > 0) throw invalidConfiguration(path, faults);
  onWarnings?.(warnings);
  return Object.freeze(config as GatewayConfig);
}

/** Adds defaults to a gateway configuration and returns its faults and warnings. */
export function checkGatewayConfig(given: unknown): CheckedConfig {
  const { value, warnings } = withoutNewerFields(gatewayConfigSchema, given);
  const config = Default(gatewayConfigSchema, structuredClone(value));
  const faults = describeSchemaFaults(gatewayConfigSchema, config, allErrors);
  const { database, firstParty } = Object(config);
  const others = [
    ...databaseProblems(database),
    ...firstPartyProblems(firstParty),
    ...storageProblems(config),
  ];
  return { config, faults: [...faults, ...others], warnings };
}

const storageSuffixMissing =
  "set storageSuffix, for example core.windows.net: azure.armEndpoint is not an endpoint of an Azure cloud";

/** Returns the suffix of storage accounts. Undefined if it is not set and the cloud is not an Azure cloud. */
function storageSuffixOf({ storageSuffix, azure }: GatewayConfig): string | undefined {
  return storageSuffix ?? findAzureCloud(azure.armEndpoint)?.storageSuffix;
}

/** Returns the fault of a configuration without the suffix of storage accounts. The schema reports an invalid `azure`. */
function storageProblems(config: unknown): readonly string[] {
  const armEndpoint = Object(Object(config).azure).armEndpoint;
  if (typeof armEndpoint !== "string") return [];
  return storageSuffixOf(config as GatewayConfig) === undefined ? [storageSuffixMissing] : [];
}

/** Returns the permitted hosts of the gateway: Azure, the registry, and `domains`. */
export function gatewayHosts(config: GatewayConfig): {
  readonly hosts: readonly string[];
  readonly storageSuffix: string;
} {
  const { azure, registryDomain, domains, location } = config;
  const storageSuffix = storageSuffixOf(config);
  if (storageSuffix === undefined) throw configErrors.InvalidConfiguration(storageSuffixMissing);
  const ofRegistry = registryDomain ? [registryDomain, registryDataDomain(registryDomain, location)] : [];
  const ofAzure = [azure.loginEndpoint, azure.armEndpoint].map((endpoint) => new URL(endpoint).hostname);
  return { hosts: [...domains, ...ofAzure, ...ofRegistry], storageSuffix };
}
