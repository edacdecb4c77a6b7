import process from "node:process";
import { createLogger } from "@keelson/base";
import type { Migration } from "@keelson/database";
import { type Command, Option } from "commander";
import { logLevelOption } from "../options/options.ts";
import { addConfigOptions, type ConfigFlags, serviceConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { withDatabase } from "../state/state-lock.ts";

interface MigrateFlags extends ConfigFlags {
  readonly dryRun?: boolean;
  readonly output?: "json";
  readonly logLevel: string;
}

export function addMigrate(root: Command): Command {
  const command = root
    .command("migrate")
    .description("apply missing migrations of the database; the service may run meanwhile")
    .option("--dry-run", "print the missing migrations; exit code 1 if there are any")
    .addOption(new Option("-o, --output <format>", "json for scripts").choices(["json"]))
    .addOption(logLevelOption());
  return addConfigOptions(command)
    .addHelpText("after", "\nAn interrupted migration is applied again. Earlier migrations stay applied.")
    .action(run);
}

async function run(flags: MigrateFlags): Promise<void> {
  const [{ databaseDriver }, { migrateDatabase }] = await Promise.all([
    import("@keelson/env"),
    import("@keelson/database"),
  ]);
  const config = await serviceConfigOf(flags);
  const dryRun = flags.dryRun === true;
  const started = performance.now();
  const onStart = (migration: Migration) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    process.stderr.write(`${seconds} s  applying ${describe(migration)}\n`);
  };
  const migrations = await withDatabase(flags.state, () =>
    migrateDatabase({
      driver: databaseDriver(config),
      dryRun,
      onStart,
      logger: createLogger({ level: flags.logLevel }),
      signal: stopSignal(() => {}),
    }),
  );
  process.stdout.write(flags.output === "json" ? json(migrations, dryRun) : text(migrations, dryRun));
  if (dryRun && migrations.length > 0) {
    throw cliErrors.MigrationsMissing(`The database lacks ${migrations.length} migrations.`);
  }
}

function json(migrations: readonly Migration[], dryRun: boolean): string {
  const rows = migrations.map(({ version, breaking, transaction }) => ({ version, breaking, transaction }));
  return `${JSON.stringify({ [dryRun ? "missing" : "applied"]: rows })}\n`;
}

function text(migrations: readonly Migration[], dryRun: boolean): string {
  if (migrations.length === 0) return "no migration is missing\n";
  if (!dryRun) return `${migrations.length} migrations applied\n`;
  return migrations.map((each) => `missing ${describe(each)}\n`).join("");
}

function describe({ version, breaking, transaction }: Migration): string {
  const beside = breaking ? "older programs must be stopped before" : "older programs may run beside it";
  return `${version} (${beside}; ${transaction === "none" ? "in single statements" : "in one transaction"})`;
}
