import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { configSchema } from "./config-schema.ts";
import { configurationReference, referenceFile } from "./generate-reference.ts";

test("docs/configuration.md is what make generate writes", () => {
  assert.equal(readFileSync(referenceFile, "utf8"), configurationReference());
});

test("the reference has every field of every kind, and marks secrets and files that are read again", () => {
  const text = configurationReference();
  for (const row of [
    /^\| `workers` \| `integer, at least 1` \| `100` \|/m,
    /^\| `database\.url` \| `string` \| {2}\| secret, read again \| \*kind: postgres\.\*/m,
    /^\| `database\.databaseName` .*\*kind: cosmos\.\*/m,
    /^\| `tls\.certificateFile` .*\| read again \|/m,
    /^\| `installer\.pullSecretFile` /m,
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
