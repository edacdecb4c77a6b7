import process from "node:process";
import { createLogger } from "@keelson/base";
import type { DatabaseRole, Migration } from "@keelson/database";
import { type Command, InvalidArgumentError, Option } from "commander";
import { logLevelOption } from "../options/options.ts";
import { addConfigOptions, type ConfigFlags, serviceConfigOf } from "../options/service-flags.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { withDatabase } from "../state/state-lock.ts";

/** Maps each PostgreSQL role name to the service roles that it gets. */
type RoleNames = ReadonlyMap<string, readonly DatabaseRole[]>;

interface MigrateFlags extends ConfigFlags {
  readonly grant?: ReadonlyMap<string, readonly string[]>;
  readonly revoke: boolean;
  readonly dryRun?: boolean;
  readonly output?: "json";
  readonly logLevel: string;
}

export function addMigrate(root: Command): Command {
  const command = root
    .command("migrate")
    .description("apply pending database migrations, and grant privileges to PostgreSQL roles")
    .option(
      "--grant <command=pgrole>",
      "grant the PostgreSQL role <pgrole> the privileges that keelson <command> needs. " +
        "<command> is rp, maintenance, monitor, portal or gateway. " +
        "<pgrole> loses all other privileges on the service's tables, sequences and functions. Repeatable",
      addGrant,
    )
    .option(
      "--no-revoke",
      "do not revoke other privileges of the PostgreSQL roles in --grant. Use this option while processes of an earlier version run",
    )
    .option(
      "--dry-run",
      "print the SQL of pending migrations and required grant changes, without executing the SQL. " +
        "The exit code is 1 if a migration is pending or a grant must change",
    )
    .addOption(new Option("-o, --output <format>", "output format (default: text)").choices(["json"]))
    .addOption(logLevelOption());
  return addConfigOptions(command)
    .addHelpText(
      "after",
      `
The service may run during most migrations. If --dry-run marks a migration with "requires that older programs are stopped",
stop all processes of the service before you migrate. After an interruption, run this command again. The command repeats the
interrupted migration, and then applies the remaining migrations.
If several service commands use the same PostgreSQL role, specify all their grants in one call, for example
--grant rp=keelson --grant monitor=keelson. A separate second call would revoke the privileges that the first call granted.

Example: keelson migrate --grant rp=keelson_rp --grant maintenance=keelson_maintenance --grant monitor=keelson_monitor \\
  --grant portal=keelson_portal --grant gateway=keelson_gateway`,
    )
    .action(run);
}

function addGrant(text: string, before: ReadonlyMap<string, readonly string[]> = new Map()) {
  const [, role = "", login = ""] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (login === "") throw new InvalidArgumentError("expected COMMAND=PGROLE, for example rp=keelson_rp.");
  return new Map([...before, [login, [...(before.get(login) ?? []), role]]]);
}

async function run(flags: MigrateFlags, command: Command): Promise<void> {
  const [{ databaseDriver }, { grantDatabase, migrateDatabase, roleAccess }, { definitions }] =
    await Promise.all([import("@keelson/env"), import("@keelson/database"), import("@keelson/model")]);
  const grant = await roleNames(flags.grant ?? new Map(), command);
  const config = await serviceConfigOf(flags);
  const dryRun = flags.dryRun === true;
  const started = performance.now();
  const onStart = (migration: Migration) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    process.stderr.write(`${seconds} s  applying ${describe(migration)}\n`);
  };
  const deps = {
    driver: databaseDriver(config),
    dryRun,
    logger: createLogger({ level: flags.logLevel }),
    signal: stopSignal(() => {}),
  };
  const done = await withDatabase(flags.state, async () => {
    const migrations = await migrateDatabase({ ...deps, onStart });
    if (grant.size === 0) return { migrations };
    const roles = new Map([...grant].map(([login, names]) => [login, names.map((each) => roleAccess[each])]));
    return {
      migrations,
      grants: await grantDatabase({ ...deps, definitions, roles, revokes: flags.revoke }),
    };
  });
  process.stdout.write(flags.output === "json" ? json(done, dryRun) : text(done, dryRun));
  const { migrations, grants = [] } = done;
  if (dryRun && migrations.length + grants.length > 0) {
    throw cliErrors.MigrationsMissing(
      `The database lacks ${migrations.length} migrations and ${grants.length} changes of grants.`,
    );
  }
}

/** Validates all names before the first change to the database. */
async function roleNames(
  grant: ReadonlyMap<string, readonly string[]>,
  command: Command,
): Promise<RoleNames> {
  const { databaseRoles } = await import("@keelson/database");
  const known = (name: string): name is DatabaseRole => databaseRoles.some((role) => role === name);
  const roles = new Map<string, readonly DatabaseRole[]>();
  for (const [login, names] of grant) {
    const unknown = names.find((name) => !known(name));
    if (unknown !== undefined) {
      command.error(
        `keelson: --grant ${unknown}=${login} names no role. Use one of ${databaseRoles.join(", ")}.`,
        { exitCode: 2 },
      );
    }
    roles.set(login, names.filter(known));
  }
  return roles;
}

interface Done {
  readonly migrations: readonly Migration[];
  /** SQL statements that grant the roles. Undefined if `--grant` is not set. */
  readonly grants?: readonly string[];
}

function json({ migrations, grants }: Done, dryRun: boolean): string {
  const rows = migrations.map(({ version, breaking, transaction }) => ({ version, breaking, transaction }));
  return `${JSON.stringify({ [dryRun ? "missing" : "applied"]: rows, ...(grants ? { grants } : {}) })}\n`;
}

function text({ migrations, grants }: Done, dryRun: boolean): string {
  return [migrationsText(migrations, dryRun), ...(grants ? [grantsText(grants, dryRun)] : [])].join("");
}

function migrationsText(migrations: readonly Migration[], dryRun: boolean): string {
  if (migrations.length === 0) return "no migration is missing\n";
  if (!dryRun) return `${migrations.length} migrations applied\n`;
  return migrations.map((each) => `missing ${describe(each)}\n${each.sql.trimEnd()}\n`).join("");
}

function grantsText(grants: readonly string[], dryRun: boolean): string {
  if (grants.length === 0) return "no grant is missing or left over\n";
  if (!dryRun) return `${grants.length} grants changed\n`;
  return grants.map((each) => `${each};\n`).join("");
}

function describe({ version, breaking, transaction }: Migration): string {
  const beside = breaking ? "requires that older programs are stopped" : "older programs may run beside it";
  return `${version} (${beside}; ${transaction === "none" ? "in single statements" : "in one transaction"})`;
}
