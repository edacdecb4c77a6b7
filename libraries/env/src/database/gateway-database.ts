import type { Logger } from "@keelson/base";
import { createKeyring, generateKey, openDatabase } from "@keelson/database";
import { definitions, type ServiceDatabase } from "@keelson/model";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { databaseDriver } from "./database-driver.ts";

/**
 * Opens the database for a gateway. A gateway reads no secrets, so it has no encryption key of the service,
 * and it applies no migrations.
 */
export function openGatewayDatabase(
  { database, azure, tenantId = "", firstParty, machineIdentity }: GatewayConfig,
  deps: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<ServiceDatabase> {
  const keyring = createKeyring({ current: "none", keys: { none: generateKey() } });
  const driver = databaseDriver({
    database,
    azure,
    tenantId,
    ...(firstParty ? { firstParty } : {}),
    ...(machineIdentity ? { machineIdentity } : {}),
  });
  const migrations = database.kind === "postgres" ? { migrations: "require" as const } : {};
  return openDatabase({ driver, definitions, keyring, ...migrations, ...deps });
}
