import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** File in `sql/`. Its first lines contain metadata (see `docs/database.md`, Migrations). */
export interface Migration {
  readonly version: number;
  /** True if programs that lack this migration must not use a database that has it. */
  readonly breaking: boolean;
  /**
   * `single`: the file is executed in one transaction. `none`: each statement commits separately, as `create index concurrently`
   * requires. With `none`, each statement must be repeatable after a crash (`if not exists`).
   */
  readonly transaction: "single" | "none";
  readonly sql: string;
}

const directory = join(import.meta.dirname, "..", "..", "sql");

/** Reads this program's migrations in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{6}\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => parseMigration(name, await readFile(join(directory, name), "utf8"))),
  );
}

/** Parses a migration file. @throws Error if the header is missing or does not match the statements */
export function parseMigration(name: string, sql: string): Migration {
  const header = /^-- breaking: (yes|no)\n(-- transaction: none\n)?/.exec(sql);
  if (!header) throw new Error(`${name} does not say in its first line whether it is breaking`);
  const transaction = header[2] === undefined ? "single" : "none";
  const migration = {
    version: Number.parseInt(name, 10),
    breaking: header[1] === "yes",
    transaction,
    sql,
  } as const;
  if (transaction === "none") {
    const once = statementsOf(sql).find((statement) => !/\bif (not )?exists\b/.test(statement));
    if (once !== undefined)
      throw new Error(`${name}: without a transaction this cannot be repeated: ${once}`);
  }
  return migration;
}

/** Splits a file into statements. Each statement ends with a semicolon at the end of a line. */
export function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/^--.*\n/gm, "")
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
