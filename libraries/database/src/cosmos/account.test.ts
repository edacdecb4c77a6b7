import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { CosmosClient } from "@azure/cosmos";
import {
  createCertificateAuthority,
  issueCertificate,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type SimulatedCosmosOptions, startSimulatedCosmos } from "@keelson/sim-azure/cosmos";
import { create } from "../documents/database.ts";
import { openDatabase } from "../open.ts";
import { testCluster, testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { cosmosDriver } from "./driver.ts";
import type { CosmosOptions } from "./open-cosmos.ts";

const signal = AbortSignal.timeout(900_000);
const keyring = testKeyring();
const partition = "subscription";
const ttlMs = 60_000;

const open = (driver: ReturnType<typeof cosmosDriver>) =>
  openDatabase({ driver, definitions: testDefinitions, keyring, logger: silentLogger, signal });

const entry = (id: string) => ({ id, partitionKey: partition, operationId: "operation" });

describe("an account", () => {
  const key = new Secret(randomBytes(64).toString("base64"));
  const start = (options: Partial<SimulatedCosmosOptions> = {}) =>
    startSimulatedCosmos({
      host: "127.0.0.1",
      port: 0,
      key,
      clock: systemClock,
      logger: silentLogger,
      consistency: "Strong",
      ...options,
    });
  const driverOf = (url: string, options: Partial<CosmosOptions> = {}) =>
    cosmosDriver({ endpoint: url, databaseName: "keelson", credential: key, ...options });

  for (const [what, options, message] of [
    ["with several write regions", { multipleWriteRegions: true }, /turn multi-region writes off/],
    ["with session consistency", { consistency: "Session" }, /set Strong/],
    ["with eventual consistency", { consistency: "Eventual" }, /set Strong/],
  ] as const) {
    test(`${what} is refused`, async () => {
      await using account = await start(options);
      await assert.rejects(open(driverOf(account.url)), { name: "UnsuitableAccount", message });
    });
  }

  test("with a different key is unavailable, and no error contains the key", async () => {
    await using account = await start();
    const wrong = new Secret(randomBytes(64).toString("base64"));
    await assert.rejects(open(driverOf(account.url, { credential: wrong })), (error) => {
      assert.ok(error instanceof Error && error.name === "StoreUnavailable");
      assert.match(error.message, /401/);
      return !inspect(error, { depth: 9, showHidden: true }).includes(wrong.reveal());
    });
  });

  test("with an invalid URL is rejected before a connection is opened", () => {
    assert.throws(() => driverOf("account.documents.azure.com"), { name: "InvalidStoreUrl" });
  });

  test("that is not there is unavailable", async () => {
    const account = await start();
    await account[Symbol.asyncDispose]();
    await assert.rejects(open(driverOf(account.url)), { name: "StoreUnavailable", message: /ECONNREFUSED/ });
  });

  test("with a container of a different definition, or of a newer program, is rejected", async () => {
    await using account = await start();
    const client = new CosmosClient({ endpoint: account.url, key: key.reveal() });
    try {
      const { database } = await client.databases.create({ id: "keelson" });
      const { container } = await database.containers.create({
        id: "documents",
        partitionKey: { paths: ["/id"] },
      });
      await assert.rejects(open(driverOf(account.url)), {
        name: "SchemaMismatch",
        message: /partition key \["\/partitionKey"\] and default time to live -1/,
      });
      await container.delete();
      const old = { includedPaths: [{ path: "/kind/?" }], excludedPaths: [{ path: "/*" }] };
      const partitionKey = { paths: ["/partitionKey"], version: 2 as const };
      const definition = { id: "documents", partitionKey, defaultTtl: -1, indexingPolicy: old };
      await database.containers.create(definition);
      await using _ = await open(driverOf(account.url));
      const { resource } = await database.container("documents").read();
      assert.deepEqual(
        resource?.indexingPolicy?.includedPaths?.map(({ path }) => path),
        [
          "/kind/?",
          "/collection/?",
          "/keys/*",
          "/sort/*",
          "/order/?",
          "/dueAt/?",
          "/notBefore/?",
          "/leaseExpires/?",
          "/sealedKeyId/?",
        ],
        "indexes that were missing are added",
      );
      account.editItems((item) => (item.kind === "layout" ? { ...item, version: 2 } : item));
      await assert.rejects(open(driverOf(account.url)), { name: "SchemaAhead", message: /has layout 2/ });
    } finally {
      client.dispose();
    }
  });

  test("is used over TLS with tokens, which make no containers", async () => {
    const authority = await createCertificateAuthority("test", 1);
    const tls = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    });
    const scopes: unknown[] = [];
    await using account = await start({
      tls,
      verifyToken: async (token) => (token === "good" ? undefined : "bad"),
    });
    const caPem = authority.certificatePem;
    const credential = {
      async getToken(scope: string | string[]) {
        scopes.push(scope);
        return { token: "good", expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const withToken = driverOf(account.url, { credential, caPem });
    await assert.rejects(open(withToken), {
      name: "SchemaMismatch",
      message: /There is no database keelson, and this identity may not make it/,
    });
    await (await open(driverOf(account.url, { caPem })))[Symbol.asyncDispose]();
    await using database = await open(withToken);
    await database.commit(partition, [create(database.collections.journal, entry("1"))], { signal });
    assert.ok(await database.collections.journal.find(partition, "1", signal));
    assert.deepEqual(scopes.flat()[0], `${account.url}/.default`);
    await assert.rejects(open(driverOf(account.url)), { name: "StoreUnavailable" }, "an untrusted CA");
  });

  test("counts leases by its own clock, however wrong that of a process is", async () => {
    const clock = new ManualClock(new Date(Date.now() + 600_000));
    await using account = await start({ clock });
    await using database = await open(driverOf(account.url));
    const { clusters } = database.collections;
    const document = testCluster({ busy: true });
    await database.commit(partition, [create(clusters, document)], { signal });
    const [leased] = await clusters.acquire({ owner: "a", ttlMs, limit: 1, signal });
    assert.ok(leased);
    const expected = clock.now().getTime() + ttlMs;
    assert.ok(Math.abs(leased.lease.expiresAt.getTime() - expected) < 5_000);
    await clock.advance(ttlMs - 10_000);
    await database.ping(signal);
    assert.deepEqual(await clusters.acquire({ owner: "b", ttlMs, limit: 1, signal }), []);
    await clock.advance(20_000);
    await database.ping(signal);
    assert.deepEqual(await clusters.renew(leased.lease, ttlMs, signal), { kind: "lost" });
    assert.equal((await clusters.acquire({ owner: "b", ttlMs, limit: 1, signal })).length, 1);
  });
});
