/**
 * Generates the data files of an OpenShift release in this directory (`crds/`, `feature-gates.json`).
 *
 * The input directories contain the release's manifests with one YAML document per file. Sources in openshift/api:
 * `payload-manifests/crds`, `payload-manifests/featuregates` and each group's `zz_generated.crd-manifests`.
 *
 * node simulators/openshift/src/release/generate.ts --update DIRECTORY...
 *
 * Without `--update`, the program prints the names of the outdated files and exits with code 1. Files without a source are kept.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parse } from "yaml";
import { releaseFiles } from "./release-files.ts";

/** Reads the manifests in the directories. Ignores subdirectories. */
export async function readManifests(directories: readonly string[]): Promise<readonly unknown[]> {
  const files = await Promise.all(
    directories.map(async (directory) => (await readdir(directory)).map((name) => join(directory, name))),
  );
  const yaml = files.flat().filter((file) => /\.ya?ml$/.test(file));
  return Promise.all(yaml.map(async (file): Promise<unknown> => parse(await readFile(file, "utf8"))));
}

/** Returns the names of data files that differ from the files generated from `manifests`. */
export async function staleFiles(manifests: readonly unknown[]): Promise<readonly string[]> {
  const compared = [...releaseFiles(manifests)].map(async ([name, text]) => {
    const committed = await readFile(new URL(name, import.meta.url), "utf8").catch(() => undefined);
    return committed === text ? [] : [name];
  });
  return (await Promise.all(compared)).flat();
}

async function update(manifests: readonly unknown[]): Promise<void> {
  await mkdir(new URL("crds/", import.meta.url), { recursive: true });
  for (const [name, text] of releaseFiles(manifests)) await writeFile(new URL(name, import.meta.url), text);
}

/** Runs the command line. @returns the exit code */
async function main([first, ...others]: readonly string[]): Promise<number> {
  const directories = first === "--update" || first === undefined ? others : [first, ...others];
  if (directories.length === 0) {
    process.stderr.write("usage: generate.ts [--update] DIRECTORY...\n");
    return 2;
  }
  const manifests = await readManifests(directories);
  if (first === "--update") await update(manifests);
  const stale = await staleFiles(manifests);
  for (const name of stale) process.stderr.write(`${name} is stale: run with --update\n`);
  return stale.length > 0 ? 1 : 0;
}

if (import.meta.main)
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
