import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { silentLogger } from "@keelson/base";
import type { Driver } from "../driver.ts";
import { migrate } from "../migrate.ts";
import { type Migration, readMigrations } from "../migration.ts";
import { keptPath } from "../pglite/data-directory.ts";
import { pgliteDriver } from "../pglite/driver.ts";

/**
 * An embedded PostgreSQL in memory, with the schema and no document. Its data directory is made once for each version
 * of PGlite and each schema, and kept among the installed packages: making it takes seconds, and nearly every test of
 * the service needs one.
 */
export async function memoryDriver(): Promise<Driver> {
  return pgliteDriver({ dataDir: undefined, image: await image() });
}

let made: Promise<Blob> | undefined;

function image(): Promise<Blob> {
  made ??= readImage();
  return made;
}

async function readImage(): Promise<Blob> {
  const migrations = await readMigrations();
  const schema = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  const file = `${keptPath()}-${schema}.tar`;
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return new Blob([kept]);
  const bytes = await makeImage(migrations);
  await mkdir(dirname(file), { recursive: true });
  // Tests start side by side: each writes a file of its own, and whole.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, file);
  return new Blob([bytes]);
}

async function makeImage(migrations: readonly Migration[]): Promise<Buffer<ArrayBuffer>> {
  const signal = AbortSignal.timeout(120_000);
  await using folder = await mkdtempDisposable(join(tmpdir(), "keelson-schema-"));
  const dataDir = join(folder.path, "database");
  {
    await using connection = await pgliteDriver({ dataDir }).open({ logger: silentLogger, signal });
    await migrate(connection, migrations, { signal });
  }
  // It was closed in order, so what is read now has nothing to recover.
  await using database = await PGlite.create(dataDir);
  return Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer());
}
