import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readGatewayConfig } from "./gateway-config.ts";
import { readRoleConfig, readServiceConfig } from "./read-config.ts";
import { configSchemaVersion } from "./schema-version.ts";
import { checkServiceConfig, parseServiceConfig } from "./service-config.ts";

const newer = configSchemaVersion + 1;
const listed = { certificates: { kind: "listed", file: "a" } };
const value = {
  location: "eastus",
  domain: "eastus.example.org",
  tenantId: "t",
  subscriptionId: "s",
  resourceGroup: "g",
  tls: { certificateFile: "a", keyFile: "b" },
  callers: { kind: "verified", arm: listed, admin: listed },
  azure: { armEndpoint: "https://arm", loginEndpoint: "https://login", audience: "https://arm/" },
  firstParty: { clientId: "c", clientSecret: "d" },
  database: { kind: "postgres", url: "postgres://me@host/db" },
  encryption: { current: "k", keys: { k: "AAAA" } },
  skipTokenKey: "AAAA",
  installer: { kind: "aro-installer", command: ["/bin/x"], workingFolder: "w", graphKeyFile: "k" },
  operatorImage: "registry.example.com/keelson:v1",
  certificateIssuer: { kind: "local", caFile: "a", caKeyFile: "b" },
  versions: [{ version: "4.19.24", default: true }],
  portal: {
    url: "https://portal.example.org",
    certificateFile: "a",
    signIn: {
      ...{ clientId: "c", certificateFile: "a", keyFile: "b", sessionKeys: ["AAAA"] },
      groups: { access: ["g"], elevated: ["h"] },
    },
  },
};

type Fields = Record<string, unknown>;

/** Returns the valid configuration with additional fields. `pointers` are the JSON pointers of these fields. */
function withFields(schemaVersion: number | undefined, pointers: readonly string[]): object {
  const config: Fields = structuredClone({
    ...value,
    ...(schemaVersion === undefined ? {} : { schemaVersion }),
  });
  for (const pointer of pointers) {
    const names = pointer.split("/").slice(1);
    const parent = names.slice(0, -1).reduce<Fields>((each, name) => each[name] as Fields, config);
    parent[names.at(-1) ?? ""] = { any: 1 };
  }
  return config;
}

const ignorable = [
  "/colour",
  "/azure/colour",
  "/database/colour",
  "/certificateIssuer/colour",
  "/installer/colour",
  "/versions/0/colour",
  "/portal/colour",
];
const strict = [
  "/callers/colour",
  "/callers/arm/colour",
  "/callers/arm/certificates/colour",
  "/portal/signIn/colour",
  "/portal/signIn/groups/colour",
  "/encryption/colour",
];

for (const [title, version] of [
  ["no schema version", undefined],
  ["this release's schema version", configSchemaVersion],
] as const)
  for (const pointer of [...ignorable, ...strict])
    test(`in a file with ${title}, the unknown field ${pointer} is an error`, () => {
      const { faults, warnings } = checkServiceConfig(withFields(version, [pointer]));
      assert.notDeepEqual(faults, []);
      assert.deepEqual(warnings, []);
    });

for (const pointer of ignorable)
  test(`in a file with a newer schema version, the unknown field ${pointer} is ignored with a warning`, () => {
    const { config, faults, warnings } = checkServiceConfig(withFields(newer, [pointer]));
    assert.deepEqual(faults, []);
    assert.deepEqual(config, checkServiceConfig(withFields(newer, [])).config);
    assert.deepEqual(warnings, [
      `${pointer} is unknown and ignored: the file declares schema version ${newer}, this release reads version ${configSchemaVersion}`,
    ]);
  });

for (const pointer of strict)
  test(`in a file with a newer schema version, the unknown field ${pointer} is an error`, () => {
    const { faults, warnings } = checkServiceConfig(withFields(newer, [pointer]));
    assert.notDeepEqual(faults, []);
    assert.deepEqual(warnings, []);
  });

test("warnings and errors of a newer file are reported together", () => {
  const config = { ...withFields(newer, ["/colour", "/callers/shape"]), port: "x" };
  const { faults, warnings } = checkServiceConfig(config);
  assert.deepEqual(
    warnings.map((each) => each.split(" ")[0]),
    ["/colour"],
  );
  assert.deepEqual(faults.map((each) => each.split(" ")[0]).sort(), ["/callers/shape", "/port"]);
});

test("a newer file is still rejected if a known field is missing or invalid", () => {
  const { domain: _, ...rest } = { ...value, schemaVersion: newer };
  assert.throws(() => parseServiceConfig(rest, "test"), /\/domain is missing/);
  assert.throws(
    () => parseServiceConfig({ ...value, schemaVersion: newer, workers: 0 }, "test"),
    /\/workers/,
  );
});

for (const schemaVersion of [0, -1, 1.5, "2", null])
  test(`schema version ${JSON.stringify(schemaVersion)} is rejected, and unknown fields remain errors`, () => {
    const { faults } = checkServiceConfig({ ...value, schemaVersion, colour: 1 });
    assert.deepEqual(faults.map((each) => each.split(" ")[0]).sort(), ["/colour", "/schemaVersion"]);
  });

test("each read of a file passes its warnings on, for every role", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-config-"));
  const path = join(directory.path, "config.json");
  const received: (readonly string[])[] = [];
  const onWarnings = (warnings: readonly string[]) => received.push(warnings);
  const write = (config: object) => writeFileSync(path, JSON.stringify(config));
  write(withFields(newer, ["/colour"]));
  readServiceConfig(path, {}, undefined, onWarnings);
  readRoleConfig(path, {}, undefined, onWarnings);
  const { location, azure, database } = value;
  const gateway = { location, azure, database, storageSuffix: "core.example.org", limits: { colour: 1 } };
  write({ ...gateway, schemaVersion: newer });
  readGatewayConfig(path, {}, onWarnings);
  write({ ...gateway, limits: {} });
  readGatewayConfig(path, {}, onWarnings);
  write(gateway);
  assert.throws(() => readGatewayConfig(path, {}, onWarnings), /\/limits\/colour is unknown/);
  assert.deepEqual(
    received.map((warnings) => warnings.map((each) => each.split(" ")[0])),
    [["/colour"], ["/colour"], ["/limits/colour"], []],
  );
});
