import { readFileSync } from "node:fs";
import { credentialOf } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { cosmosDriver, type OpenDatabaseOptions, pgliteDriver, postgresDriver } from "@keelson/database";
import type { definitions } from "@keelson/model";
import type { ServiceConfig } from "./service-config.ts";

type DatabaseConfig = Pick<ServiceConfig, "database" | "azure" | "firstParty" | "tenantId">;

/** How the database of the configuration is reached. Nothing is opened. */
export function databaseDriver(config: DatabaseConfig): OpenDatabaseOptions<typeof definitions>["driver"] {
  const { database } = config;
  switch (database.kind) {
    case "embedded":
      return pgliteDriver({ dataDir: database.directory });
    case "postgres":
      return postgresDriver(database);
    case "cosmos": {
      const { endpoint, databaseName, key } = database;
      const caFile = database.caFile ?? config.azure.caFile;
      const caPem = caFile === undefined ? {} : { caPem: readFileSync(caFile, "utf8") };
      const credential = key === undefined ? firstPartyCredential(config, caPem) : new Secret(key);
      return cosmosDriver({ endpoint, databaseName, credential, ...caPem });
    }
  }
}

/** The service's own application signs in, as it does to Azure. */
function firstPartyCredential(
  { azure, firstParty, tenantId }: DatabaseConfig,
  caPem: { readonly caPem?: string },
) {
  const { armEndpoint, loginEndpoint, audience } = azure;
  const { clientId, clientSecret } = firstParty;
  return credentialOf(
    { armEndpoint, loginEndpoint, audience, ...caPem },
    { tenantId, clientId, clientSecret: new Secret(clientSecret) },
  );
}
