import type { Logger } from "@keelson/base";
import type { DocumentDriver } from "./drivers/document-driver.ts";
import type { Driver } from "./drivers/driver.ts";
import { migrate, pendingMigrations } from "./migrations/migrate.ts";
import { type Migration, readMigrations } from "./migrations/migration.ts";

export interface MigrateDatabaseOptions {
  readonly driver: Driver | DocumentDriver;
  /** True to return the missing migrations without applying them. Default: false. */
  readonly dryRun?: boolean;
  /** Called before each migration is applied. */
  readonly onStart?: (migration: Migration) => void;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Applies all missing migrations and returns them in order. Stores without tables have no migrations.
 * @throws StoreUnavailable, SchemaAhead
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<readonly Migration[]> {
  const { driver, dryRun = false, onStart, logger, signal } = options;
  if ("openStore" in driver) return [];
  await using connection = await driver.open({ logger, signal });
  const migrations = await readMigrations();
  if (dryRun) return await pendingMigrations(connection, migrations, signal);
  const applied = new Set(await migrate(connection, migrations, { onStart, signal }));
  return migrations.filter(({ version }) => applied.has(version));
}
