import { existsSync } from "node:fs";
import { type Clock, isCoded, messageOf, Secret, silentLogger } from "@keelson/base";
import { type FirstProbe, migrateDatabase, type Stored } from "@keelson/database";
import { databaseDriver, openServiceDatabase, openServiceKeyring } from "@keelson/env";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { shellWord } from "../output/shell-word.ts";
import { checkDatabaseConnections } from "./check-database-connections.ts";
import { checkDatabaseDisk } from "./check-database-disk.ts";
import { compareClocks } from "./clock-skew.ts";
import { daysUntil, type Finding, failed, ok, skipped, soonDays, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

const statement = { text: "select (extract(epoch from clock_timestamp()) * 1000)::text as now" };
const loginExpiry = {
  text: "select rolname::text as name, (extract(epoch from rolvaliduntil) * 1000)::text as until from pg_roles where rolname = current_user",
};
/**
 * Connection timeout. It is longer than the connection timeout of the service, because a busy machine is not a fault. It is
 * shorter than the time limit of a check.
 */
const connectTimeoutMs = 20_000;
const pageSize = 100;
const maxClusters = 2_000;

/** Checks that the database responds and has all migrations. Also checks that the configured keys decrypt its secrets. */
export async function checkDatabase(installation: Installation): Promise<readonly Finding[]> {
  const { config, holder } = installation;
  const { database } = config;
  if (database.kind === "embedded") {
    if (!existsSync(database.directory))
      return [skipped("database", `${database.directory} is not there yet: the first start makes it`)];
    if (holder !== undefined)
      return [skipped("database", `process ${holder} has it open: stop it to have it checked`)];
  }
  const reached = await reach(installation);
  const keyring = await checkKeyring(
    installation,
    reached.every(({ status }) => status !== "failed"),
  );
  return [...reached, ...keyring];
}

async function reach({ config, clock, selector, signal }: Installation): Promise<readonly Finding[]> {
  const { database } = config;
  const where = database.kind === "cosmos" ? database.endpoint : database.kind;
  try {
    const driver = databaseDriver(config, () => config, connectTimeoutMs);
    if ("openStore" in driver) {
      await using opened = await openServiceDatabase(config, { clock, logger: silentLogger, signal });
      return [ok("database", `${where} answers`), ...writesFinding(await opened.database.firstProbe())];
    }
    const missing = await migrateDatabase({ driver, dryRun: true, logger: silentLogger, signal });
    await using connection = await driver.open({ logger: silentLogger, signal });
    const [row] = await connection.query(statement, [], signal);
    const time = new Date(Number(row?.now));
    const [login] = await connection.query(loginExpiry, [], signal);
    return [
      ok("database", `${where} answers`),
      compareClocks("the database", time, clock.now()),
      ...passwordExpiry(login, clock),
      ...writesFinding(await connection.probeWrites?.()),
      ...(database.kind === "postgres"
        ? [
            await checkDatabaseConnections(connection, database.maxConnections, signal),
            await checkDatabaseDisk(connection, signal),
          ]
        : []),
      missing.length === 0
        ? ok("migrations", "none is missing")
        : failed(
            "migrations",
            `${missing.length} are missing: ${missing.map(({ version }) => version).join(", ")}`,
            'run "keelson migrate" with the same configuration',
            `keelson migrate ${selector}`,
          ),
    ];
  } catch (error) {
    signal.throwIfAborted();
    if (isCoded(error, "SchemaAhead")) {
      return [
        failed(
          "migrations",
          messageOf(error),
          "run a release that is as new as the database's schema",
          "keelson version",
        ),
      ];
    }
    return [failed("database", messageOf(error), remedyFor(database.kind), reachCommand(database))];
  }
}

/**
 * Reports the result of a test write to the database. Running service processes use the same test write. Returns no finding for
 * an embedded database, because the test does not run there.
 */
function writesFinding(result: FirstProbe | undefined): readonly Finding[] {
  if (!result) return [];
  const check = "database writes";
  switch (result.kind) {
    case "accepted":
      return [ok(check, "are committed")];
    case "blocked":
      return [
        failed(
          check,
          result.reason,
          "see KeelsonDatabaseWritesBlocked in docs/runbooks.md",
          `psql -c "show synchronous_standby_names" <database.url>`,
        ),
      ];
    case "failed":
      return [
        warning(
          check,
          `could not be tested: ${result.reason}`,
          "fix the error of the probe, then run keelson doctor again",
          "keelson doctor",
        ),
      ];
  }
}

/** Reports the expiry date of a role's password (`valid until`). Most passwords never expire. */
function passwordExpiry(
  login: Readonly<Record<string, string | null>> | undefined,
  clock: Clock,
): readonly Finding[] {
  if (login?.until == null) return [];
  const check = "database password";
  // PostgreSQL returns `infinity`, which is not a date, for a password without an expiry.
  const until = new Date(Number(login.until));
  if (Number.isNaN(until.getTime())) return [];
  const days = daysUntil(until, clock);
  const summary = `PostgreSQL refuses the password of ${login.name} from ${until.toISOString().slice(0, 10)} on`;
  if (days >= soonDays) return [ok(check, summary)];
  const remedy = `set a new password: alter role ${login.name} password '...' valid until '...'; then change database.url or the password file`;
  const command = `psql -c "alter role ${login.name} valid until '<date>'" -c "\\\\password ${login.name}" <database.url>`;
  return [warning(check, `${summary}, in ${days} days`, remedy, command)];
}

function remedyFor(kind: "embedded" | "postgres" | "cosmos"): string {
  if (kind === "embedded") return "restore the folder from a backup, or see that this user can write it";
  return kind === "postgres"
    ? "see that the server runs and can be reached from here, and that user, password and TLS of database.url are right"
    : "see that the account can be reached from here, and that its key, or the role of firstParty on it, is right";
}

/** Returns a command that tests the connection. The command contains no password. */
function reachCommand(database: Installation["config"]["database"]): string {
  if (database.kind === "embedded") return `ls -ld ${shellWord(database.directory)}`;
  if (database.kind === "cosmos") return `curl -v ${shellWord(database.endpoint)}`;
  const url = URL.parse(database.url);
  if (!url?.hostname) return "pg_isready";
  return `pg_isready -h ${shellWord(url.hostname)} -p ${url.port || 5432}`;
}

async function checkKeyring(installation: Installation, reached: boolean): Promise<readonly Finding[]> {
  const { config, clock, signal } = installation;
  try {
    await using keyring = await openServiceKeyring(config, { clock, logger: silentLogger, signal });
    const current = keyring.currentKeyId();
    if (!reached) return [ok("keyring", `can be read; its current key is ${current}`)];
  } catch (error) {
    signal.throwIfAborted();
    return [
      failed(
        "keyring",
        messageOf(error),
        "correct the field or file that the message names; each key of encryption has 32 bytes in base64",
        "openssl rand -base64 32",
      ),
    ];
  }
  try {
    await using opened = await openServiceDatabase(config, { clock, logger: silentLogger, signal });
    const { count, faults } = await unreadable(opened.database, signal);
    if (faults.length === 0) return [ok("keyring", `has the keys of all ${count} clusters examined`)];
    return [
      failed(
        "keyring",
        `secrets of ${faults.length} clusters cannot be opened: ${faults[0]}`,
        "add the keys that are missing to encryption of the configuration; keep old keys until nothing is sealed with them",
        `keelson doctor ${installation.selector}`,
      ),
    ];
  } catch (error) {
    signal.throwIfAborted();
    return [
      warning(
        "keyring",
        `could not be compared with the database: ${messageOf(error)}`,
        "repair the database first",
        `keelson doctor ${installation.selector}`,
      ),
    ];
  }
}

async function unreadable(database: ServiceDatabase, signal: AbortSignal) {
  const faults: string[] = [];
  let count = 0;
  let continuation: string | undefined;
  do {
    const query = { limit: pageSize, ...(continuation === undefined ? {} : { continuation }) };
    const page = await database.collections.clusters.list(query, signal);
    for (const item of page.items) {
      const fault = faultOf(item);
      if (fault !== undefined) faults.push(fault);
      count++;
    }
    continuation = page.continuation;
  } while (continuation !== undefined && count < maxClusters);
  return { count, faults };
}

/**
 * Returns the reason why a secret of the document cannot be decrypted. Undefined if all secrets can be decrypted. The decrypted
 * values are discarded.
 */
function faultOf({ document }: Stored<ClusterDocument>): string | undefined {
  try {
    openAll(document);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function openAll(value: unknown): void {
  if (value instanceof Secret) value.reveal();
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) openAll(each);
}
