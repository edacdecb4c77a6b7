/**
 * Writes `docs/configuration.md` from the schemas of the configuration files.
 *
 *     node cmd/keelson/src/configuration/generate-reference.ts --update
 *
 * Without `--update` it changes nothing. It exits with code 1 if the document is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { configurationDocument, gatewayConfigSchema, serviceConfigJsonSchema } from "@keelson/env";
import { programInstallerKinds } from "./installer-kinds.ts";

export const referenceFile = join(import.meta.dirname, "../../../../docs/configuration.md");

/** Returns the content of `docs/configuration.md`, generated from the schemas. */
export function configurationReference(): string {
  return configurationDocument([
    {
      title: "service.json",
      introduction:
        "`keelson rp`, `maintenance`, `monitor` and `portal` read the same file. `tls`, `callers`, `skipTokenKey` and `installer` are required for `keelson rp` only.",
      schema: serviceConfigJsonSchema(programInstallerKinds),
    },
    {
      title: "gateway.json",
      introduction:
        "`keelson gateway` reads this file. The file contains no encryption keys, because the gateway does not decrypt documents.",
      schema: gatewayConfigSchema,
    },
  ]);
}

function main(): void {
  const text = configurationReference();
  if (process.argv.includes("--update")) writeFileSync(referenceFile, text);
  else if (readFileSync(referenceFile, "utf8") !== text) {
    process.stderr.write("docs/configuration.md: stale, run make generate\n");
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
