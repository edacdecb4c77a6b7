import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { createKeyring, generateKey, openDatabase } from "@keelson/database";
import { definitions } from "@keelson/model";
import { type SimulatedCosmos, startSimulatedCosmos } from "@keelson/sim-azure/cosmos";
import {
  clientId,
  clientSecret,
  localCertificates,
  startTestAzure,
  type TestAzure,
  tenantId,
} from "@keelson/sim-azure/testing";
import { databaseDriver } from "./database-driver.ts";
import { seedVersions } from "./seed-catalogue.ts";

const signal = AbortSignal.timeout(900_000);
const key = new Secret(randomBytes(64).toString("base64"));
let directory: string;
let azure: TestAzure;
let account: SimulatedCosmos;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "keelson-env-"));
  azure = await startTestAzure();
  await writeFile(join(directory, "ca.pem"), azure.caPem);
  account = await startSimulatedCosmos({
    host: "127.0.0.1",
    port: 0,
    tls: (await localCertificates()).tls,
    key,
    verifyToken: (token, url) => azure.refusalOf(token, [url]),
    clock: systemClock,
    logger: silentLogger,
    consistency: "Strong",
  });
});
after(async () => {
  await account[Symbol.asyncDispose]();
  await azure[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const open = (credential: { readonly key?: string }) =>
  openDatabase({
    driver: databaseDriver({
      tenantId,
      azure: {
        armEndpoint: azure.url,
        loginEndpoint: azure.url,
        audience: "https://management.azure.com/",
        caFile: join(directory, "ca.pem"),
        pollIntervalMs: 10_000,
      },
      firstParty: { clientId, clientSecret: clientSecret.reveal() },
      database: { kind: "cosmos", endpoint: account.url, databaseName: "keelson", ...credential },
    }),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });

test("the service keeps its documents in Cosmos DB: with the account's key, and signed in as its application", async () => {
  {
    await using database = await open({ key: key.reveal() });
    await seedVersions(database, [{ version: "4.16.1", default: true }], signal);
  }
  await using database = await open({});
  const found = await database.collections.versions.findBy(undefined, "version", "4.16.1", signal);
  assert.equal(found?.document.openShiftVersion.properties.default, true);
});
