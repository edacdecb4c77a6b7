import { connectVault } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import { type Keyring, openDatabase } from "@keelson/database";
import { definitions, type ServiceDatabase } from "@keelson/model";
import type { RoleConfig } from "./config/service-config.ts";
import { databaseDriver } from "./database/database-driver.ts";
import { openKeyring } from "./keys/encryption-keys.ts";
import { serviceAccount } from "./service-account.ts";

export interface OpenedDatabase extends AsyncDisposable {
  readonly database: ServiceDatabase;
  readonly keyring: Keyring;
}

/**
 * Opens the service's database and keys for a tool. Applies migrations only to an embedded database.
 * @throws the errors of opening the keys and the database
 */
export async function openServiceDatabase(
  config: RoleConfig,
  { clock, logger, signal }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<OpenedDatabase> {
  const stack = new AsyncDisposableStack();
  try {
    const keyring = stack.use(await openServiceKeyring(config, { clock, logger, signal }));
    const driver = databaseDriver(config);
    const migrations = config.database.kind === "embedded" ? "apply" : "require";
    const database = stack.use(
      await openDatabase({ driver, definitions, keyring, logger, signal, migrations }),
    );
    return { database, keyring, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Opens only the encryption keys. @throws InvalidConfiguration, InvalidKey, KeyVaultUnavailable, UnusableVaultKey */
export function openServiceKeyring(
  config: RoleConfig,
  { clock, logger, signal }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
) {
  const { azure, signedIn } = serviceAccount(config);
  return openKeyring(config.encryption, {
    connectVault: (vaultUrl, audience) =>
      connectVault({ environment: azure, credential: signedIn, vaultUrl, audience, logger }),
    onReading: () => undefined,
    clock,
    logger,
    signal,
  });
}
