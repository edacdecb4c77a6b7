import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Driver } from "../driver.ts";
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
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const [root = ""] = entry.split(join("@electric-sql", "pglite"));
  const manifest = join(root, "@electric-sql", "pglite", "package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = join(root, ".cache", "keelson", `pglite-${version}.tar`);
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
