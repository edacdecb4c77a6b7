import { credentialOf, signInAsMachine } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { cosmosDriver, type OpenDatabaseOptions, pgliteDriver, postgresDriver } from "@keelson/database";
import type { definitions } from "@keelson/model";
import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";
import { readCertificates } from "../files/config-files.ts";

type DatabaseConfig = Pick<ServiceConfig, "database" | "azure" | "tenantId"> &
  Partial<Pick<ServiceConfig, "firstParty">> & {
    /** Managed identity of the machine. It has precedence over `firstParty`. */
    readonly machineIdentity?: { readonly clientId: string };
  };

/** Creates the driver of the configured database. It opens no connection. */
export function databaseDriver(config: DatabaseConfig): OpenDatabaseOptions<typeof definitions>["driver"] {
  const { database } = config;
  switch (database.kind) {
    case "embedded":
      return pgliteDriver({ dataDir: database.directory });
    case "postgres":
      return postgresDriver(database);
    case "cosmos": {
      const { endpoint, databaseName, key } = database;
      const [member, caFile] =
        database.caFile === undefined
          ? (["azure.caFile", config.azure.caFile] as const)
          : (["database.caFile", database.caFile] as const);
      const caPem = caFile === undefined ? {} : { caPem: readCertificates(member, caFile).join("\n") };
      const credential = key === undefined ? signedIn(config, caPem) : new Secret(key);
      return cosmosDriver({ endpoint, databaseName, credential, ...caPem });
    }
  }
}

/** Returns the credential of the machine's identity, or of the service's own application. */
function signedIn(
  { azure, firstParty, machineIdentity, tenantId }: DatabaseConfig,
  caPem: { readonly caPem?: string },
) {
  if (machineIdentity) return signInAsMachine(tenantId, machineIdentity.clientId).tokens;
  const { armEndpoint, loginEndpoint, audience } = azure;
  if (!firstParty)
    throw configErrors.InvalidConfiguration(
      "firstParty is missing: a Cosmos DB without database.key signs it in",
    );
  const { clientId, clientSecret } = firstParty;
  return credentialOf(
    { armEndpoint, loginEndpoint, audience, ...caPem },
    { tenantId, clientId, clientSecret: new Secret(clientSecret) },
  );
}
