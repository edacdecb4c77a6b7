import { credentialOf, signInAsMachine } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { cosmosDriver, type OpenDatabaseOptions, pgliteDriver, postgresDriver } from "@keelson/database";
import type { definitions } from "@keelson/model";
import { firstPartyPrincipal } from "../config/first-party.ts";
import type { ServiceConfig } from "../config/service-config.ts";
import { configErrors } from "../files/config-errors.ts";
import { readCertificates } from "../files/config-files.ts";
import { passwordFromCommand, passwordFromFile } from "./database-password.ts";

type DatabaseConfig = Pick<ServiceConfig, "database" | "azure" | "tenantId"> &
  Partial<Pick<ServiceConfig, "firstParty">> & {
    /** Managed identity of the machine. It takes precedence over `firstParty`. */
    readonly machineIdentity?: { readonly clientId: string };
  };

/**
 * Creates the driver of the configured database without connecting. New connections use the URL and secrets that `configNow`
 * returns. Default: those of `config`. `connectTimeoutMs` applies to PostgreSQL.
 */
export function databaseDriver(
  config: DatabaseConfig,
  configNow: () => Pick<DatabaseConfig, "database" | "firstParty"> = () => config,
  connectTimeoutMs?: number,
): OpenDatabaseOptions<typeof definitions>["driver"] {
  const { database } = config;
  switch (database.kind) {
    case "embedded":
      return pgliteDriver({ dataDir: database.directory });
    case "postgres":
      return postgresDriver({
        ...database,
        url: () => {
          const now = configNow().database;
          return now.kind === "postgres" ? now.url : database.url;
        },
        ...passwordOf(database),
        connectTimeoutMs,
      });
    case "cosmos": {
      const { endpoint, databaseName, key } = database;
      const [member, caFile] =
        database.caFile === undefined
          ? (["azure.caFile", config.azure.caFile] as const)
          : (["database.caFile", database.caFile] as const);
      const caPem = caFile === undefined ? {} : { caPem: readCertificates(member, caFile).join("\n") };
      const credential = key === undefined ? signedIn(config, configNow, caPem) : new Secret(key);
      return cosmosDriver({ endpoint, databaseName, credential, ...caPem });
    }
  }
}

function passwordOf({
  passwordFile,
  passwordCommand,
}: Extract<DatabaseConfig["database"], { kind: "postgres" }>) {
  if (passwordFile !== undefined) return { password: passwordFromFile(passwordFile) };
  if (passwordCommand !== undefined) return { password: passwordFromCommand(passwordCommand) };
  return {};
}

/**
 * Returns the credential of the machine's identity. Without a machine identity, returns the credential of the service's
 * application.
 */
function signedIn(
  { azure, firstParty, machineIdentity, tenantId }: DatabaseConfig,
  configNow: () => Pick<DatabaseConfig, "firstParty">,
  caPem: { readonly caPem?: string },
) {
  if (machineIdentity) return signInAsMachine(tenantId, machineIdentity.clientId).tokens;
  const { armEndpoint, loginEndpoint, audience } = azure;
  if (!firstParty)
    throw configErrors.InvalidConfiguration(
      "firstParty is missing: a Cosmos DB without database.key signs it in",
    );
  return credentialOf(
    { armEndpoint, loginEndpoint, audience, ...caPem },
    firstPartyPrincipal(tenantId, firstParty, () => configNow().firstParty ?? firstParty),
  );
}
