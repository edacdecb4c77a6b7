import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Driver } from "../driver.ts";
import { keptPath } from "../pglite/data-directory.ts";
import { pgliteDriver } from "../pglite/driver.ts";

/**
 * An embedded PostgreSQL in memory. Its empty data directory is made once for each version of PGlite and kept among the
 * installed packages: making it takes seconds, and nearly every test of the service needs one.
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
  const file = `${keptPath()}.tar`;
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return new Blob([kept]);
  await using database = await PGlite.create();
  const bytes = Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer());
  await mkdir(dirname(file), { recursive: true });
  // Tests start side by side: each writes a file of its own, and whole.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, file);
  return new Blob([bytes]);
}
