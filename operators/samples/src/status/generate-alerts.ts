/**
 * Writes the alerts to `manifests/010-prometheus-rules.yaml` in the form of the release image.
 *
 *     node operators/samples/src/status/generate-alerts.ts --update
 *
 * Without `--update`, the command only checks the file and exits with code 1 if it is stale. The test in this directory also
 * reports a stale file.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { samplesAlerts } from "./alert-rules.ts";

const output = new URL("../../manifests/010-prometheus-rules.yaml", import.meta.url);

/** Returns the content of the manifest. */
export function generate(): string {
  const comment = "# Made from src/status/alert-rules.ts by `make generate`: do not edit.\n";
  return comment + stringify(samplesAlerts, { lineWidth: 0, aliasDuplicateObjects: false });
}

async function main(): Promise<void> {
  const text = generate();
  if (process.argv.includes("--update")) {
    await mkdir(new URL(".", output), { recursive: true });
    await writeFile(output, text);
  } else if ((await readFile(output, "utf8")) !== text) {
    process.stderr.write("010-prometheus-rules.yaml is stale: run make generate\n");
    process.exitCode = 1;
  }
}

if (import.meta.main) void main();
