import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { createKeyring, generateKey, openDatabase, replace } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { definitions, roleSetsPartition, versionsPartition } from "@keelson/model";
import { seedRoleSets, seedVersions } from "./seed-catalogue.ts";

const signal = AbortSignal.timeout(900_000);

test("processes that start concurrently with different lists add the versions and role sets of both, and a version that is listed twice is reported", async () => {
  await using database = await openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "k", keys: { k: generateKey() } }),
    logger: silentLogger,
    signal,
  });
  const { versions, roleSets } = database.collections;
  const lists = [["4.18.1", "4.19.1"], ["4.19.1", "4.20.1"], ["4.18.1"]];
  await Promise.all(
    lists.map((list) =>
      seedVersions(
        database,
        list.map((version, at) => ({ version, default: at === 0 })),
        signal,
      ),
    ),
  );
  const stored = (await versions.list({ partitionKey: versionsPartition, limit: 10 }, signal)).items.map(
    ({ document }) => document.openShiftVersion.properties,
  );
  assert.deepEqual(stored.map(({ version }) => version).sort(), ["4.18.1", "4.19.1", "4.20.1"]);
  assert.equal(stored.filter((each) => each.default).length, 1);

  const setsOf = (list: readonly string[]) =>
    list.map((openShiftVersion) => ({ openShiftVersion, platformWorkloadIdentityRoles: [] }));
  await Promise.all([
    seedRoleSets(database, setsOf(["4.16", "4.17"]), signal),
    seedRoleSets(database, setsOf(["4.17", "4.18"]), signal),
  ]);
  const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit: 10 }, signal);
  assert.deepEqual(
    items.map((item) => item.document.platformWorkloadIdentityRoleSet.properties.openShiftVersion).sort(),
    ["4.16", "4.17", "4.18"],
  );

  const twice = { version: "4.30.1", default: false };
  await assert.rejects(seedVersions(database, [twice, twice], signal), {
    code: "CatalogueConflict",
    message: /listed twice/,
  });
});

test("what is missing is added, and what administrators changed stays", async () => {
  await using database = await openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "k", keys: { k: generateKey() } }),
    logger: silentLogger,
    signal,
  });
  const { versions, roleSets } = database.collections;
  const stored = async () => {
    const { items } = await versions.list({ partitionKey: versionsPartition, limit: 10 }, signal);
    return items
      .map((item) => item.document.openShiftVersion.properties)
      .map((each) => `${each.version}${each.enabled ? "" : " disabled"}${each.default ? " default" : ""}`)
      .sort();
  };

  await seedVersions(
    database,
    [
      { version: "4.18.1", default: false },
      { version: "4.19.1", default: true },
    ],
    signal,
  );
  assert.deepEqual(await stored(), ["4.18.1", "4.19.1 default"]);

  const found = await versions.findBy(versionsPartition, "version", "4.18.1", signal);
  assert.ok(found);
  const { openShiftVersion } = found.document;
  const disabled = {
    ...found.document,
    openShiftVersion: { properties: { ...openShiftVersion.properties, enabled: false } },
  };
  await database.commit(versionsPartition, [replace(versions, found, disabled)], { signal });
  await seedVersions(
    database,
    [
      { version: "4.18.1", default: false },
      { version: "4.20.1", default: true },
    ],
    signal,
  );
  assert.deepEqual(await stored(), ["4.18.1 disabled", "4.19.1 default", "4.20.1"]);

  const image = { publisher: "p", offer: "o", sku: "s", version: "499.0.20270101" };
  const images = async (version: string) =>
    (await versions.findBy(versionsPartition, "version", version, signal))?.document.openShiftVersion
      .properties.machineImages;
  await seedVersions(
    database,
    [{ version: "4.99.1", default: false, machineImages: { hyperVGen2: image } }],
    signal,
  );
  assert.deepEqual(await images("4.99.1"), { hyperVGen2: image });
  assert.equal((await images("4.20.1"))?.hyperVGen1?.version, "9.6.20251015");

  const role = {
    operatorName: "ingress",
    roleDefinitionName: "Ingress",
    roleDefinitionId: "/roles/ingress",
    serviceAccounts: ["system:serviceaccount:a:b"],
    secretLocation: { namespace: "a", name: "s" },
  };
  for (const minors of [["4.16"], ["4.16", "4.17"]]) {
    const wanted = minors.map((openShiftVersion) => ({
      openShiftVersion,
      platformWorkloadIdentityRoles: [role],
    }));
    await seedRoleSets(database, wanted, signal);
    const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit: 10 }, signal);
    assert.deepEqual(
      items.map((item) => item.document.platformWorkloadIdentityRoleSet.properties.openShiftVersion).sort(),
      minors,
    );
  }
});
