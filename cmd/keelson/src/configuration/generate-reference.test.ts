import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkGatewayConfig,
  checkRoleConfig,
  checkServiceConfig,
  configSchemaVersion,
  keyFaults,
  readObject,
} from "@keelson/env";
import { configSchema } from "./config-schema.ts";
import { exampleFiles } from "./example-configs.ts";
import {
  configurationFields,
  configurationReference,
  generatedFiles,
  releasedFieldsFile,
} from "./generate-reference.ts";
import { programInstallerKinds } from "./installer-kinds.ts";

test("docs/configuration.md and deploy/examples are what make generate writes", () => {
  for (const [path, content] of generatedFiles()) assert.equal(readFileSync(path, "utf8"), content, path);
});

test("each example is valid after its keys are replaced, and has a comment for each field", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-examples-"));
  const checks: Readonly<Record<string, typeof checkRoleConfig>> = {
    rp: checkServiceConfig,
    gateway: checkGatewayConfig,
  };
  const key = Buffer.alloc(32, 1).toString("base64");
  for (const [name, content] of exampleFiles()) {
    const path = join(directory.path, name);
    const check = checks[name.replace(".json", "")] ?? checkRoleConfig;
    const faultsOf = (text: string) => {
      writeFileSync(path, text);
      const value = readObject(path);
      return [...check(value, programInstallerKinds).faults, ...keyFaults(value)];
    };
    assert.deepEqual(faultsOf(content.replaceAll(/REPLACE WITH [^"]+/g, key)), [], name);
    const placeholders = content.match(/REPLACE WITH/g)?.length ?? 0;
    assert.equal(faultsOf(content).length, placeholders, `${name}: a placeholder is no key`);
    assert.match(content, /^ {2}\/\/ Azure region served, for example eastus\n {2}"location": "eastus",$/m);
    assert.match(content, /^ {4}\/\/ file with the password, instead of the password in the URL\./m);
  }
});

test("the schema version is newer than that of the newest release if fields were added", () => {
  const released = JSON.parse(readFileSync(releasedFieldsFile, "utf8"));
  const added = configurationFields().filter((field) => !released.fields.includes(field));
  const isNewer = configSchemaVersion > released.schemaVersion;
  assert.ok(isNewer || added.length === 0, `Increase configSchemaVersion, because of ${added.join(", ")}`);
});

test("the reference has every field of every kind, and marks secrets and files that are read again", () => {
  const text = configurationReference();
  for (const row of [
    /^\| `workers` \| `integer, at least 1` \| `100` \|/m,
    /^\| `database\.url` \| `string` \| {2}\| secret, read again \| \*kind: postgres\.\*/m,
    /^\| `database\.databaseName` .*\*kind: cosmos\.\*/m,
    /^\| `tls\.certificateFile` .*\| read again \|/m,
    /^\| `installer\.pullSecretFile` /m,
    /^\| `skipTokenKey` .*\| secret, read again, read by `rp` \|/m,
    /^\| `leaseMs` .*\| read by `rp` and `maintenance` \|/m,
    /^### portal\n\nOptional\.\n\nRead by `rp` and `portal`\.$/m,
    /^\| `telemetry\.statsd\.address` /m,
  ])
    assert.match(text, row);
});

test("the schema for editors requires no field that has a default, and fewer fields for roles without the ARM API", () => {
  const required = (role: string) => Reflect.get(configSchema(role), "required");
  assert.ok(required("rp").includes("tls") && !required("rp").includes("workers"));
  assert.ok(!required("monitor").includes("tls") && required("monitor").includes("database"));
  assert.ok(required("gateway").includes("database"));
});
