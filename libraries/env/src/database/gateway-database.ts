import type { Logger } from "@keelson/base";
import { createKeyring, generateKey, openDatabase, type StoreObserver } from "@keelson/database";
import { type GatewayDatabase, gatewayDefinitions } from "@keelson/model";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { databaseDriver } from "./database-driver.ts";

/**
 * Opens the collection that gateways read. The collection contains no secrets, so a gateway needs no encryption key. The gateway
 * writes nothing.
 */
export function openGatewayDatabase(
  { database, azure, tenantId = "", firstParty, machineIdentity }: GatewayConfig,
  {
    configNow,
    ...deps
  }: {
    /** Receives measurements. */
    readonly observer?: StoreObserver;
    /** Returns the configuration with the current secrets. Default: the initial configuration. */
    readonly configNow?: () => GatewayConfig;
    readonly logger: Logger;
    readonly signal: AbortSignal;
  },
): Promise<GatewayDatabase> {
  const keyring = createKeyring({ current: "none", keys: { none: generateKey() } });
  const driver = databaseDriver(
    {
      database,
      azure,
      tenantId,
      ...(firstParty ? { firstParty } : {}),
      ...(machineIdentity ? { machineIdentity } : {}),
    },
    configNow,
  );
  const migrations = database.kind === "postgres" ? { migrations: "require" as const } : {};
  return openDatabase({
    driver,
    definitions: gatewayDefinitions,
    keyring,
    use: "reads",
    ...migrations,
    ...deps,
  });
}
