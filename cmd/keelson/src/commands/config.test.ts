import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { configSchemaVersion } from "@keelson/env";
import { exampleFiles } from "../configuration/example-configs.ts";
import { checkConfigFile, checkReport } from "./config.ts";

const schemaVersion = configSchemaVersion + 1;
const warning = new RegExp(
  `/colour is unknown and ignored: the file declares schema version ${schemaVersion}`,
);

/** Checks an example of `deploy/examples` with additional fields. */
async function checkExample(role: "rp" | "monitor" | "gateway", more: object) {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-config-"));
  const path = join(directory.path, "config.json");
  const key = Buffer.alloc(32, 1).toString("base64");
  const text = (exampleFiles().get(`${role}.json`) ?? "").replaceAll(/REPLACE WITH [^"]+/g, key);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text.replaceAll(/^ *\/\/.*$/gm, "")), ...more }));
  return await checkConfigFile(path, role);
}

for (const role of ["rp", "monitor", "gateway"] as const)
  test(`config check of a file for ${role} reports an ignored field of a newer schema version as a warning`, async () => {
    const checked = await checkExample(role, { schemaVersion, colour: 1 });
    assert.deepEqual(checked.faults, []);
    const [valid, ignored, ...others] = checkReport(checked).split("\n");
    assert.equal(valid, `${checked.file} is valid`);
    assert.match(ignored ?? "", /^warning: /);
    assert.match(ignored ?? "", warning);
    assert.deepEqual(others, [""]);
  });

test("config check lists warnings after faults", async () => {
  const checked = await checkExample("rp", { schemaVersion, colour: 1, workers: 0 });
  const [fault, ignored, ...others] = checkReport(checked).split("\n");
  assert.match(fault ?? "", /^\/workers /);
  assert.match(ignored ?? "", warning);
  assert.deepEqual(others, [""]);
});

test("config check rejects the unknown field of a file without a schema version", async () => {
  assert.equal(checkReport(await checkExample("rp", { colour: 1 })), "/colour is unknown\n");
});
