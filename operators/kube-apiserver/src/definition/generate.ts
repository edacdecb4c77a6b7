/**
 * Writes the CustomResourceDefinitions in `manifests/` in the form of the release image.
 *
 *     node operators/kube-apiserver/src/definition/generate.ts --update
 *
 * Without `--update`, the command only checks the files and exits with code 1 if a file is stale. The test in this directory also
 * reports stale files.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { type ReleasedDefinition, releasedDefinitions } from "./definition.ts";

const directory = new URL("../../manifests/", import.meta.url);

/** Returns the content of a manifest file. */
export function manifestText({ definition }: ReleasedDefinition): string {
  const comment = "# Made from src/definition/ by `make generate`: do not edit.\n";
  return comment + stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false });
}

export function manifestUrl({ fileName }: ReleasedDefinition): URL {
  return new URL(fileName, directory);
}

async function main(): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const each of releasedDefinitions) {
    const text = manifestText(each);
    if (process.argv.includes("--update")) await writeFile(manifestUrl(each), text);
    else if ((await readFile(manifestUrl(each), "utf8")) !== text) {
      process.stderr.write(`${each.fileName} is stale: run make generate\n`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) void main();
