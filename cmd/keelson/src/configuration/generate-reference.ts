/**
 * Writes `docs/configuration.md` and `deploy/examples` from the schemas of the configuration files.
 *
 *     node cmd/keelson/src/configuration/generate-reference.ts --update
 *
 * Without `--update` it changes nothing. It exits with code 1 if a file is out of date. With `--released` it records the fields of a
 * release in `released-fields.json`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { regionConfigurationSchema } from "@keelson/deploy";
import {
  configSchemaVersion,
  configurationDocument,
  fieldRows,
  gatewayConfigSchema,
  serviceConfigJsonSchema,
} from "@keelson/env";
import { exampleFiles } from "./example-configs.ts";
import { programInstallerKinds } from "./installer-kinds.ts";

const root = join(import.meta.dirname, "../../../..");
const referenceFile = join(root, "docs/configuration.md");
/** Schema version and configuration fields of the newest release. */
export const releasedFieldsFile = join(import.meta.dirname, "released-fields.json");

/** Returns the generated files: path and content. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map([[referenceFile, configurationReference()]]);
  for (const [name, content] of exampleFiles()) files.set(join(root, "deploy/examples", name), content);
  return files;
}

/** Returns the content of `docs/configuration.md`, generated from the schemas. */
export function configurationReference(): string {
  const configs = [
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
    {
      title: "configuration of keelson deploy",
      introduction:
        "`keelson deploy config.yaml` reads these fields from `configuration`, for all regions or for one region ([Deploy](deploy.md#configuration)). `keelson deploy` derives `callers`, `portal.adminApi` and `portal.ssh` of `service`.",
      schema: regionConfigurationSchema,
    },
  ];
  return configurationDocument(configs, configSchemaVersion);
}

/** Returns all configuration fields as `FILE: PATH`, without duplicates. */
export function configurationFields(): readonly string[] {
  const files = {
    "gateway.json": gatewayConfigSchema,
    "service.json": serviceConfigJsonSchema(programInstallerKinds),
  };
  const fields = Object.entries(files).flatMap(([file, schema]) =>
    fieldRows(schema).map(({ path }) => `${file}: ${path}`),
  );
  return [...new Set(fields)].sort();
}

function recordRelease(): void {
  const released = { schemaVersion: configSchemaVersion, fields: configurationFields() };
  writeFileSync(releasedFieldsFile, `${JSON.stringify(released, undefined, 2)}\n`);
}

function main(): void {
  if (process.argv.includes("--released")) {
    recordRelease();
    return;
  }
  for (const [path, content] of generatedFiles()) {
    if (process.argv.includes("--update")) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    } else if (!existsSync(path) || readFileSync(path, "utf8") !== content) {
      process.stderr.write(`${path}: stale, run make generate\n`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
