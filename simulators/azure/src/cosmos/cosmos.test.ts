import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { Agent } from "node:https";
import { after, before, beforeEach, describe, test } from "node:test";
import { ChangeFeedStartFrom, CosmosClient, type Container as SdkContainer } from "@azure/cosmos";
import { createCertificateAuthority, issueCertificate, Secret, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { assertKeepAlive } from "@keelson/http/testing";
import { runBatch } from "./batch.ts";
import { Container } from "./container.ts";
import { containerDefinition } from "./definition.ts";
import { type SimulatedCosmos, startSimulatedCosmos } from "./start-cosmos.ts";

const key = new Secret(randomBytes(64).toString("base64"));
const clock = new ManualClock(new Date());
let account: SimulatedCosmos;
let client: CosmosClient;
let container: SdkContainer;

before(async () => {
  account = await startSimulatedCosmos({
    host: "127.0.0.1",
    port: 0,
    key,
    clock,
    logger: silentLogger,
    physicalPartitions: 3,
  });
  client = new CosmosClient({ endpoint: account.url, key: key.reveal() });
  const { database } = await client.databases.createIfNotExists({ id: "test" });
  const made = await database.containers.createIfNotExists({
    id: "things",
    partitionKey: { paths: ["/pk"], version: 2 },
    defaultTtl: -1,
    indexingPolicy: {
      includedPaths: [{ path: "/n/?" }, { path: "/deep/*" }],
      excludedPaths: [{ path: "/*" }],
    },
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/serial"] }] },
  });
  container = made.container;
});
beforeEach(() => {
  account.injectFaults(undefined);
  account.editItems(() => undefined);
});
after(async () => {
  client.dispose();
  await account[Symbol.asyncDispose]();
});

let serial = 0;
const thing = (id: string, more: object = {}) => ({ id, pk: "p", serial: ++serial, ...more });

describe("items", () => {
  test("are created, read, replaced and deleted, each under its condition", async () => {
    const { etag, resource } = await container.items.create({ ...thing("1"), n: 1, "🦺": "ü" });
    assert.equal(resource?._etag, etag);
    assert.equal(resource?.["🦺"], "ü");
    await assert.rejects(container.items.create(thing("1")), { code: 409 });
    const item = container.item("1", "p");
    const replaced = await item.replace(thing("1", { n: 2 }), {
      accessCondition: { type: "IfMatch", condition: etag },
    });
    const stale = { accessCondition: { type: "IfMatch", condition: etag } };
    await assert.rejects(item.replace(thing("1"), stale), { code: 412 });
    await assert.rejects(item.delete(stale), { code: 412 });
    assert.equal((await item.read()).resource?.n, 2);
    assert.equal((await container.item("1", "other").read()).statusCode, 404);
    const known = { accessCondition: { type: "IfNoneMatch", condition: replaced.etag } };
    assert.equal((await item.read(known)).statusCode, 304);
    assert.equal((await container.items.upsert(thing("1", { n: 3 }))).statusCode, 200);
    await item.delete();
    await assert.rejects(item.delete(), { code: 404 });
    await assert.rejects(item.replace(thing("1")), { code: 404 });
  });

  test("vanish when their time is over, and their IDs are free", async () => {
    await container.items.create(thing("short", { ttl: 60 }));
    await container.items.create(thing("long"));
    await clock.advance(61_000);
    assert.equal((await container.item("short", "p").read()).statusCode, 404);
    assert.equal((await container.item("long", "p").read()).statusCode, 200);
    await container.items.create(thing("short"));
    await assert.rejects(container.items.create(thing("bad", { ttl: 0 })), { code: 400 });
  });

  test("share no unique key within a partition, and may across partitions", async () => {
    await container.items.create({ id: "1", pk: "p", serial: "s" });
    await assert.rejects(container.items.create({ id: "2", pk: "p", serial: "s" }), { code: 409 });
    await container.items.create({ id: "2", pk: "q", serial: "s" });
  });

  test("larger than 2 MB or with invalid names are rejected", async () => {
    await assert.rejects(container.items.create(thing("big", { text: "x".repeat(2 ** 21) })), { code: 413 });
    await assert.rejects(container.items.create(thing("x".repeat(1_024))), { code: 400 });
    await assert.rejects(container.items.create(thing("1", { pk: "p".repeat(2_049) })), { code: 400 });
  });
});

describe("batches", () => {
  test("are atomic", async () => {
    const { etag } = await container.items.create(thing("old"));
    const { code, result } = await container.items.batch(
      [
        { operationType: "Create", resourceBody: thing("new") },
        { operationType: "Replace", id: "old", ifMatch: etag, resourceBody: thing("old", { n: 2 }) },
        { operationType: "Upsert", resourceBody: thing("either") },
        { operationType: "Read", id: "new" },
        { operationType: "Delete", id: "either" },
      ],
      "p",
    );
    assert.equal(code, 200);
    assert.deepEqual(
      result?.map(({ statusCode }) => statusCode),
      [201, 200, 201, 200, 204],
    );
    assert.equal((await container.item("old", "p").read()).etag, result?.[1]?.eTag);
  });

  test("are not done at all when one operation fails, which is named", async () => {
    const { etag } = await container.items.create(thing("old", { n: 1 }));
    await container.items.create(thing("there"));
    for (const [failing, status] of [
      [{ operationType: "Create", resourceBody: thing("there") }, 409],
      [{ operationType: "Replace", id: "old", ifMatch: '"0"', resourceBody: thing("old") }, 412],
      [{ operationType: "Delete", id: "missing" }, 404],
      [{ operationType: "Create", resourceBody: thing("x", { pk: "q" }) }, 400],
    ] as const) {
      const { code, result } = await container.items.batch(
        [
          { operationType: "Create", resourceBody: thing("new") },
          { operationType: "Replace", id: "old", ifMatch: etag, resourceBody: thing("old", { n: 2 }) },
          failing,
          { operationType: "Delete", id: "there" },
        ],
        "p",
      );
      assert.equal(code, 207);
      assert.deepEqual(
        result?.map(({ statusCode }) => statusCode),
        [424, 424, status, 424],
      );
      assert.equal((await container.item("new", "p").read()).statusCode, 404);
      assert.equal((await container.item("old", "p").read()).etag, etag);
    }
  });

  test("of more than 100 operations and IDs with a slash are rejected, although the SDK does not send them", () => {
    const definition = containerDefinition({ id: "c", partitionKey: { paths: ["/pk"] } });
    const bare = new Container(definition, "AAAAAAAAAAA=", 1, clock);
    const operations = Array.from({ length: 101 }, (_, index) => ({
      operationType: "Create",
      resourceBody: thing(String(index)),
    }));
    assert.throws(() => runBatch(bare, '["p"]', operations), { status: 400 });
    assert.equal(runBatch(bare, '["p"]', operations.slice(1)).status, 200);
    assert.throws(() => bare.create('["p"]', thing("a/b")), { status: 400 });
  });
});

describe("queries", () => {
  /** Creates `count` items that are spread over all partition key ranges. */
  const fill = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await container.items.create(thing(String(n), { pk: `p${n % 7}`, n, deep: { text: `t${n}` } }));
    }
  };
  const across = { forceQueryPlan: true };

  test("across partitions return items in order and limited, with any page size", async () => {
    await fill(25);
    for (const maxItemCount of [1, 4, 100]) {
      const options = { ...across, maxItemCount };
      const ordered = container.items.query<number>("SELECT VALUE c.n FROM c ORDER BY c.n DESC", options);
      assert.deepEqual(
        (await ordered.fetchAll()).resources,
        Array.from({ length: 25 }, (_, index) => 24 - index),
      );
      const query = {
        query: "SELECT TOP 3 * FROM c WHERE c.n > @n ORDER BY c.n",
        parameters: [{ name: "@n", value: 10 }],
      };
      const { resources } = await container.items.query(query, options).fetchAll();
      assert.deepEqual(
        resources.map(({ n }) => n),
        [11, 12, 13],
      );
    }
  });

  test("count, and filter without an order", async () => {
    await fill(10);
    const count = container.items.query<number>("SELECT VALUE COUNT(1) FROM c WHERE c.n >= 4", across);
    assert.deepEqual((await count.fetchAll()).resources, [6]);
    const some = container.items.query<number>("SELECT VALUE c.n FROM c WHERE c.n < 3", across);
    assert.deepEqual((await some.fetchAll()).resources.sort(), [0, 1, 2]);
  });

  test("without a plan make the client request one", async () => {
    await fill(5);
    const ordered = container.items.query<number>("SELECT VALUE c.n FROM c ORDER BY c.n");
    assert.deepEqual((await ordered.fetchAll()).resources, [0, 1, 2, 3, 4]);
  });

  test("of one partition need no merging", async () => {
    await fill(15);
    const options = { partitionKey: "p1", maxItemCount: 2 };
    const one = container.items.query<number>("SELECT VALUE c.n FROM c ORDER BY c.n", options);
    assert.deepEqual((await one.fetchAll()).resources, [1, 8]);
  });

  test("in the order of a path that is not indexed are rejected", async () => {
    await fill(1);
    const options = { partitionKey: "p0" };
    await assert.rejects(container.items.query("SELECT * FROM c ORDER BY c.serial", options).fetchAll(), {
      code: 400,
    });
    const deep = container.items.query("SELECT * FROM c ORDER BY c.deep.text", options);
    assert.equal((await deep.fetchAll()).resources.length, 1);
  });
});

describe("the change feed", () => {
  const readAll = async (feed: ReturnType<typeof container.items.getChangeFeedIterator>) => {
    const ids: string[] = [];
    for (;;) {
      const { statusCode, result } = await feed.readNext();
      if (statusCode === 304) return ids.sort();
      ids.push(...result.map((item: { readonly id: string }) => item.id));
    }
  };

  test("starts now, returns each item once in its latest version, and omits deletions", async () => {
    await container.items.create(thing("before"));
    const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
    assert.deepEqual(await readAll(feed), []);
    for (const pk of ["p", "q", "r", "s"]) await container.items.create(thing(pk, { pk }));
    await container.items.upsert(thing("q", { pk: "q", n: 2 }));
    await container.item("r", "r").delete();
    assert.deepEqual(await readAll(feed), ["p", "q", "s"]);
    assert.deepEqual(await readAll(feed), []);
  });

  test("returns all items from the beginning, page by page", async () => {
    for (let n = 0; n < 7; n++) await container.items.create(thing(String(n), { pk: `p${n}` }));
    const feed = container.items.getChangeFeedIterator({
      changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
      maxItemCount: 2,
    });
    assert.deepEqual(await readAll(feed), ["0", "1", "2", "3", "4", "5", "6"]);
  });
});

test("a feed continues in partitions that were split, and a new client queries them", async () => {
  const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
  assert.equal((await feed.readNext()).statusCode, 304);
  for (let n = 0; n < 20; n++) {
    if (n === 7 || n === 14) account.splitPartitions();
    await container.items.create(thing(String(n), { pk: `p${n}`, n }));
  }
  const told: unknown[] = [];
  for (;;) {
    const { statusCode, result } = await feed.readNext();
    if (statusCode === 304) break;
    told.push(...result.map(({ id }: { readonly id: unknown }) => Number(id)));
  }
  const all = Array.from({ length: 20 }, (_, n) => n);
  assert.deepEqual(new Set(told), new Set(all));
  assert.equal(told.length, all.length);
  const late = new CosmosClient({ endpoint: account.url, key: key.reveal() });
  const query = late
    .database("test")
    .container("things")
    .items.query<number>("SELECT VALUE c.n FROM c ORDER BY c.n", { forceQueryPlan: true, maxItemCount: 3 });
  assert.deepEqual((await query.fetchAll()).resources, all);
  late.dispose();
});

describe("faults", () => {
  test("throttled requests are tried again after the wait that was asked for", async () => {
    let throttled = 0;
    account.injectFaults(() => (throttled++ < 3 ? { kind: "throttled", retryAfterMs: 5 } : undefined));
    assert.equal((await container.items.create(thing("1"))).statusCode, 201);
    assert.equal(throttled, 4);
  });

  test("a connection may end before or after the operation", async () => {
    for (const [when, id, status] of [
      ["before", "1", 404],
      ["after", "2", 200],
    ] as const) {
      account.injectFaults(({ method }) => (method === "POST" ? { kind: "cut", when } : undefined));
      await assert.rejects(container.items.create(thing(id)));
      account.injectFaults(undefined);
      assert.equal((await container.item(id, "p").read()).statusCode, status);
    }
  });
});

describe("authorization", () => {
  const endpoint = () => account.url;

  test("a wrong key is rejected", async () => {
    const stranger = new CosmosClient({ endpoint: endpoint(), key: randomBytes(64).toString("base64") });
    await assert.rejects(stranger.database("test").read(), { code: 401 });
    stranger.dispose();
  });

  for (const [what, headers, status] of [
    ["no authorization", {}, 401],
    ["one that is none", { authorization: "%" }, 401],
    [
      "a token where the account takes its key only",
      { authorization: "type%3daad%26ver%3d1.0%26sig%3dx" },
      401,
    ],
    [
      "an old signature",
      {
        authorization: "type%3dmaster%26ver%3d1.0%26sig%3dx",
        "x-ms-date": "Thu, 01 Jan 1970 00:00:00 GMT",
      },
      403,
    ],
  ] as const) {
    test(`${what} is rejected`, async () => {
      const response = await fetch(`${endpoint()}/dbs/test`, { headers });
      assert.equal(response.status, status);
      await response.text();
    });
  }

  test("tokens are verified, allow data reads and writes, and cannot create containers", async () => {
    const authority = await createCertificateAuthority("test", 1);
    const tls = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    });
    const caPem = authority.certificatePem;
    await using secured = await startSimulatedCosmos({
      host: "127.0.0.1",
      port: 0,
      tls,
      key,
      clock,
      logger: silentLogger,
      verifyToken: async (token) => (token === "good" ? undefined : "The token is bad."),
    });
    const agent = new Agent({ ca: caPem });
    const withKey = new CosmosClient({ endpoint: secured.url, key: key.reveal(), agent });
    const withToken = (token: string) =>
      new CosmosClient({
        endpoint: secured.url,
        agent,
        aadCredentials: { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) },
      });
    const [good, bad] = [withToken("good"), withToken("bad")];
    try {
      const { database } = await withKey.databases.create({ id: "d" });
      await database.containers.create({ id: "c", partitionKey: { paths: ["/pk"] } });
      await good.database("d").container("c").items.create({ id: "1", pk: "p" });
      await assert.rejects(good.databases.create({ id: "e" }), { code: 403 });
      await assert.rejects(bad.database("d").container("c").item("1", "p").read(), { code: 401 });
    } finally {
      for (const each of [withKey, good, bad]) each.dispose();
      agent.destroy();
    }
  });
});

for (const [method, path, body, status] of [
  ["GET", "/nowhere", undefined, 400],
  ["GET", "/dbs/%", undefined, 400],
  ["GET", "/dbs/test/colls/things/docs/1/2/3", undefined, 400],
] as const) {
  test(`${method} ${path} is rejected`, async () => {
    const response = await fetch(`${account.url}${path}`, { method, ...(body ? { body } : {}) });
    assert.equal(response.status, status);
    assert.match(await response.text(), /"message"/);
  });
}

describe("bodies without end", () => {
  const upload = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `${account.url}/dbs/test/colls/things/docs`;
      const request = httpRequest(url, { method: "POST", headers, agent: false }, (answer) => {
        resolve(answer.statusCode);
        answer.destroy();
      });
      request.on("error", reject);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = () => {
        while (request.write(chunk));
        request.once("drain", more);
      };
      more();
    });

  test("from callers without a key are rejected before they are read", async () => {
    assert.equal(await upload({ authorization: "nothing" }), 401);
  });

  test("are cut off at the limit", async () => {
    const date = clock.now().toUTCString();
    const text = `post\ndocs\ndbs/test/colls/things\n${date.toLowerCase()}\n\n`;
    const signature = createHmac("sha256", Buffer.from(key.reveal(), "base64")).update(text).digest("base64");
    const authorization = encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
    assert.equal(await upload({ authorization, "x-ms-date": date }), 413);
  });
});

test("idle connections of clients stay open for as long as every listener keeps them", async () => {
  await assertKeepAlive(account.url);
});
