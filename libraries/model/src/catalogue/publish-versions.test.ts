import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentLogger } from "@keelson/base";
import { createKeyring, type Definitions, generateKey, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { definitions, type ServiceDatabase } from "../database/collections.ts";
import { roleSetsPartition, versionsPartition } from "../documents/catalogue-documents.ts";
import { testRoleSets } from "../testing/identity-clusters.ts";
import { publishRoleSets, publishVersions } from "./publish-versions.ts";
import { parseRoleSets, parseVersionStreams } from "./version-streams.ts";

const signal = AbortSignal.timeout(900_000);
const digest = `sha256:${"a".repeat(64)}`;
const digests = { "4.18": digest, "4.19": digest, "4.99": digest };
const registry = "name.azurecr.io";
let database: ServiceDatabase;
before(async () => {
  database = await openDatabase({
    driver: await memoryDriver(),
    definitions: definitions satisfies Definitions,
    keyring: createKeyring({ current: "k", keys: { k: generateKey() } }),
    logger: silentLogger,
    signal,
  });
});
after(() => database[Symbol.asyncDispose]());

const streams = (byDefault: string, ...others: readonly string[]) =>
  parseVersionStreams(
    {
      DefaultStream: { [byDefault]: `registry/release:${byDefault}` },
      InstallStreams: Object.fromEntries(others.map((version) => [version, `registry/release:${version}`])),
    },
    digests,
    registry,
  );

async function stored(): Promise<readonly string[]> {
  const { items } = await database.collections.versions.list(
    { partitionKey: versionsPartition, limit: 1_000 },
    signal,
  );
  return items
    .map(({ document: { openShiftVersion, deleting, ttlSeconds } }) => {
      const { version, default: is } = openShiftVersion.properties;
      return `${version}${is ? " default" : ""}${deleting ? ` deleting ${ttlSeconds}` : ""}`;
    })
    .sort();
}

test("versions become those of the streams; what is absent is retired with a minute to live, and comes back", async () => {
  const publish = (dryRun: boolean, ...versions: [string, ...string[]]) =>
    publishVersions(database, streams(...versions), { dryRun, signal });
  const nothing = { added: [], changed: [], unchanged: [], removed: [] };
  assert.deepEqual(await publish(true, "4.19.1", "4.18.1"), { ...nothing, added: ["4.19.1", "4.18.1"] });
  assert.deepEqual(await stored(), []);
  await publish(false, "4.19.1", "4.18.1");
  assert.deepEqual(await stored(), ["4.18.1", "4.19.1 default"]);
  assert.deepEqual((await publish(false, "4.19.1", "4.18.1")).unchanged.toSorted(), ["4.18.1", "4.19.1"]);
  const moved = await publish(false, "4.19.2", "4.18.1");
  assert.deepEqual(
    { ...moved },
    { ...nothing, added: ["4.19.2"], unchanged: ["4.18.1"], removed: ["4.19.1"] },
  );
  assert.deepEqual(await stored(), ["4.18.1", "4.19.1 default deleting 60", "4.19.2 default"]);
  assert.deepEqual((await publish(false, "4.19.2", "4.18.1")).removed, []);
  assert.deepEqual((await publish(false, "4.18.1", "4.19.1", "4.19.2")).added, ["4.19.1"]);
  assert.deepEqual(await stored(), ["4.18.1 default", "4.19.1", "4.19.2"]);
});

test("more versions than one commit takes", async () => {
  const many = Array.from({ length: 200 }, (_, patch) => `4.18.${patch + 10}`);
  await publishVersions(database, streams("4.19.500", ...many), { dryRun: false, signal });
  const kept = (await stored()).filter((each) => !each.includes("deleting"));
  assert.equal(kept.length, 201);
  assert.deepEqual(
    kept.filter((each) => each.includes("default")),
    ["4.19.500 default"],
  );
});

test("role sets are published in the same way", async () => {
  const names = async () => {
    const { items } = await database.collections.roleSets.list(
      { partitionKey: roleSetsPartition, limit: 100 },
      signal,
    );
    return items
      .map(
        ({ document }) =>
          `${document.platformWorkloadIdentityRoleSet.properties.openShiftVersion}${document.deleting ? " deleting" : ""}`,
      )
      .sort();
  };
  const [one] = testRoleSets;
  assert.ok(one);
  const two = { ...one, openShiftVersion: "4.99" };
  const publish = (...sets: readonly (typeof one)[]) =>
    publishRoleSets(database, parseRoleSets(JSON.parse(JSON.stringify(sets))), { dryRun: false, signal });
  assert.deepEqual((await publish(one, two)).added, [one.openShiftVersion, "4.99"]);
  assert.deepEqual((await publish(one)).removed, ["4.99"]);
  assert.deepEqual(await names(), [one.openShiftVersion, "4.99 deleting"]);
});

const refusals = {
  "two defaults": [
    { DefaultStream: { "4.19.1": "a", "4.19.2": "b" } },
    "DefaultStream must have exactly 1 entry, found 2",
  ],
  "no default": [{ InstallStreams: { "4.19.1": "a" } }, "DefaultStream must have exactly 1 entry, found 0"],
  "no installer": [{ DefaultStream: { "4.20.1": "a" } }, "no installer digest for version 4.20"],
  "no machine images": [{ DefaultStream: { "4.99.1": "a" } }, "no machine images for version 4.99"],
  "no version": [{ DefaultStream: { latest: "a" } }, '"latest" is not a version: expected x.y.z'],
  "a version twice": [
    { DefaultStream: { "4.19.1": "a" }, InstallStreams: { "4.19.1 ": "b" } },
    "version 4.19.1 is named twice",
  ],
  "no pullspec": [{ DefaultStream: { "4.19.1": "" } }, "version 4.19.1 has no pullspec"],
} as const;
for (const [name, [value, message]] of Object.entries(refusals)) {
  test(`streams with ${name} are refused`, () => {
    assert.throws(() => parseVersionStreams(JSON.parse(JSON.stringify(value)), digests, registry), {
      code: "InvalidStreams",
      message,
    });
  });
}

test("the installer is that of the minor version, by digest", () => {
  assert.deepEqual(streams("4.19.1"), [
    {
      version: "4.19.1",
      openShiftPullspec: "registry/release:4.19.1",
      installerPullspec: `name.azurecr.io/aro-installer:4.19@${digest}`,
      machineImages: {
        hyperVGen1: {
          publisher: "azureopenshift",
          offer: "aro4",
          sku: "aro_419",
          version: "419.6.20250523",
        },
        hyperVGen2: {
          publisher: "azureopenshift",
          offer: "aro4",
          sku: "419-v2",
          version: "419.6.20250523",
        },
      },
      enabled: true,
      default: true,
    },
  ]);
});

test("machine images of the caller replace the published ones", () => {
  const hyperVGen2 = { publisher: "p", offer: "o", sku: "s", version: "499.0.20270101" };
  const [version] = parseVersionStreams({ DefaultStream: { "4.99.1": "a" } }, digests, registry, {
    "4.99": { hyperVGen2: { ...hyperVGen2, purchasePlan: false } },
  });
  assert.deepEqual(version?.machineImages, { hyperVGen2 });
  assert.throws(() => parseVersionStreams({ DefaultStream: { "4.19.1": "a" } }, digests, registry, []), {
    code: "InvalidStreams",
    message: "expected an object of machine images by minor version",
  });
});
