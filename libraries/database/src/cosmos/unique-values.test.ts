import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { type Clock, isCoded, silentLogger, systemClock } from "@keelson/base";
import fc from "fast-check";
import type { CollectionDefinition, Document } from "../documents/collection.ts";
import type { Write } from "../documents/database.ts";
import { documentCodec } from "../encryption/document-codec.ts";
import { startTestCosmos, type TestCosmos } from "../testing/cosmos-store.ts";
import { type TestCluster, testCluster, testDefinitions, testKeyring } from "../testing/test-documents.ts";
import { commit } from "./commit.ts";
import { CosmosConnection } from "./connection.ts";
import { ensureContainers } from "./containers.ts";
import type { CosmosContext } from "./context.ts";
import { type DocumentItem, documentItemId, type HeadItem, type Versioned } from "./items.ts";
import { type Reservation, Reservations } from "./reservations.ts";
import { Turns } from "./turns.ts";

const signal = AbortSignal.timeout(900_000);
const databaseName = "test";
const collection = testDefinitions.clusters.name;
/** Clock that shortens the wait for active commits. */
const impatient: Clock = {
  ...systemClock,
  sleep: (ms, ending) => systemClock.sleep(Math.min(ms, 1), ending),
};

let account: TestCosmos;
let processes: AsyncDisposableStack;
let one: CosmosContext;
let other: CosmosContext;

before(async () => {
  account = await startTestCosmos();
  processes = new AsyncDisposableStack();
  [one, other] = [await openProcess(), await openProcess()];
});
beforeEach(() => {
  account.injectFaults(undefined);
  account.editItems((item) => (item.kind === "layout" ? item : undefined));
});
after(async () => {
  await processes.disposeAsync();
  await account[Symbol.asyncDispose]();
});

/** Opens a context like a separate process, with a different client, session and clock. */
async function openProcess(): Promise<CosmosContext> {
  const address = { endpoint: account.url, databaseName, credential: account.key };
  const connection = processes.use(new CosmosConnection(address, impatient));
  await ensureContainers(connection, databaseName, signal);
  const keyring = testKeyring();
  // The cast is required, because the map contains definitions of several document types.
  const definition = testDefinitions.clusters as unknown as CollectionDefinition<Document>;
  const store = { definition, codec: documentCodec(definition, keyring), keyring };
  return {
    connection,
    reservations: new Reservations(connection, impatient),
    turns: new Turns(),
    definitions: new Map([[collection, store]]),
    publishChange: () => {},
    logger: silentLogger,
    clock: impatient,
  };
}

const created = (document: TestCluster): Write => ({ kind: "create", collection, document });

async function stored(
  context: CosmosContext,
  document: TestCluster,
): Promise<Write & { readonly kind: "replace" }> {
  const result = await commit(context, document.partitionKey, [created(document)], { signal });
  assert.ok(result.kind === "committed");
  return { kind: "replace", collection, document, etag: result.etags[0] ?? "" };
}

/**
 * Minimum age in ms for a sweep that also includes reservations of the same moment. It is negative, because the estimated server
 * time may be slightly behind.
 */
const allAgesMs = -2_000;
const partition = "subscription";
const duplicate = { kind: "duplicate", write: 0, key: "clientIdKey" };

/** The cast is safe, because the kind of an item determines its type. */
function itemsOf<T>(kind: string): T[] {
  const found: T[] = [];
  account.editItems((item) => {
    if (item.kind === kind) found.push(item as T);
    return item;
  });
  return found;
}

const reservations = () => itemsOf<Versioned<Reservation>>("reservation");
const documents = () => itemsOf<DocumentItem>("document");
const heads = () => itemsOf<HeadItem>("head");

/**
 * Asserts the expected state when no commit is active. The reserved values are the same as the values in documents, and all
 * reservations are settled.
 */
function assertExact() {
  const reserved = reservations().map(({ key, value, holder, isSettled }) => {
    assert.equal(isSettled, true, `${key} ${value} is settled`);
    return `${key}=${value}@${holder.partitionKey}/${holder.id}`;
  });
  const had = documents().flatMap(({ keys, partitionKey, documentId }) =>
    Object.entries(keys).map(([key, value]) => `${key}=${value}@${partitionKey}/${documentId}`),
  );
  assert.deepEqual(reserved.sort(), had.sort());
  const headed = heads().map(({ unique, partitionKey, documentId }) => [partitionKey, documentId, unique]);
  const headless = documents().map(({ keys, partitionKey, documentId }) => [partitionKey, documentId, keys]);
  assert.deepEqual(
    headed.map((each) => JSON.stringify(each)).sort(),
    headless.map((each) => JSON.stringify(each)).sort(),
    "each document has its head",
  );
  const values = had.map((each) => each.split("@")[0]);
  assert.equal(new Set(values).size, values.length, "no value is had twice");
}

describe("unique values", () => {
  test("become free when their document is removed or gets a different value", async () => {
    const first = await stored(one, testCluster({ clientIdKey: "a" }));
    const second = created(testCluster({ clientIdKey: "a", partitionKey: "elsewhere" }));
    assert.deepEqual(await commit(other, "elsewhere", [second], { signal }), duplicate);
    const changed = { ...first, document: { ...first.document, clientIdKey: "b" } };
    const result = await commit(one, partition, [changed], { signal });
    assert.ok(result.kind === "committed");
    assert.equal((await commit(other, "elsewhere", [second], { signal })).kind, "committed");
    const removal = {
      kind: "remove" as const,
      collection,
      id: first.document.id,
      etag: result.etags[0] ?? "",
    };
    assert.equal((await commit(one, partition, [removal], { signal })).kind, "committed");
    await stored(other, testCluster({ clientIdKey: "b" }));
    assertExact();
  });

  test("are not reserved by commits that fail", async () => {
    const { document } = await stored(one, testCluster({ clientIdKey: "a" }));
    const late = {
      kind: "replace" as const,
      collection,
      document: { ...document, clientIdKey: "b" },
      etag: '"0"',
    };
    const changed = { kind: "conflict", write: 0, reason: "changed" };
    assert.deepEqual(await commit(other, partition, [late], { signal }), changed);
    assertExact();
  });

  test("go to one of many who want one at once", async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const document = testCluster({ clientIdKey: "a", partitionKey: `p${index % 3}` });
        return commit(index % 2 ? one : other, document.partitionKey, [created(document)], { signal });
      }),
    );
    const winners = results.filter(({ kind }) => kind === "committed");
    assert.equal(winners.length, 1);
    assert.ok(results.every((each) => each.kind === "committed" || each.kind === "duplicate"));
    assertExact();
  });

  test("of a process that died before its commit are taken over", async () => {
    const dead = testCluster({ clientIdKey: "a" });
    account.injectFaults(({ isBatch }) => (isBatch ? { kind: "cut", when: "before" } : undefined));
    await assert.rejects(commit(one, partition, [created(dead)], { signal }), { name: "StoreUnavailable" });
    account.injectFaults(undefined);
    assert.equal(reservations().length, 2, "its key and its client");
    await stored(other, testCluster({ clientIdKey: "a", partitionKey: "elsewhere" }));
    await other.reservations.sweep(allAgesMs, signal);
    assertExact();
  });

  test("of a process that died after its commit, before the response, are kept", async () => {
    const dead = testCluster({ clientIdKey: "a" });
    account.injectFaults(({ isBatch }) => (isBatch ? { kind: "cut", when: "after" } : undefined));
    await assert.rejects(commit(one, partition, [created(dead)], { signal }), { name: "StoreUnavailable" });
    account.injectFaults(undefined);
    const rival = created(testCluster({ clientIdKey: "a", partitionKey: "elsewhere" }));
    assert.deepEqual(await commit(other, "elsewhere", [rival], { signal }), duplicate);
    assert.equal(await other.reservations.sweep(allAgesMs, signal), 2);
    assertExact();
  });

  test("that were taken over cannot be used by the slow commit that had reserved them", async () => {
    const underWay = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    account.injectFaults(({ isBatch, path }) => {
      if (!isBatch) return undefined;
      account.injectFaults(undefined);
      arrived.resolve();
      assert.match(path, /documents/);
      return { kind: "held", until: underWay.promise };
    });
    const slow = commit(one, partition, [created(testCluster({ clientIdKey: "a" }))], { signal });
    await arrived.promise;
    await stored(other, testCluster({ clientIdKey: "a", partitionKey: "elsewhere" }));
    underWay.resolve();
    assert.deepEqual(await slow, duplicate);
    assertExact();
  });

  test("a sweep that meets a slow commit does not let it and a later one both have the value", async () => {
    const underWay = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    account.injectFaults(({ isBatch }) => {
      if (!isBatch) return undefined;
      account.injectFaults(undefined);
      arrived.resolve();
      return { kind: "held", until: underWay.promise };
    });
    const slow = commit(one, partition, [created(testCluster({ clientIdKey: "a" }))], { signal });
    await arrived.promise;
    assert.equal(await other.reservations.sweep(allAgesMs, signal), 2);
    assert.equal(reservations().length, 0);
    underWay.resolve();
    assert.equal((await slow).kind, "committed", "it started again");
    const rival = created(testCluster({ clientIdKey: "a", partitionKey: "elsewhere" }));
    assert.deepEqual(await commit(other, "elsewhere", [rival], { signal }), duplicate);
    assertExact();
  });
});

test("whatever commits do, and wherever connections end, values stay unique and the sweep leaves nothing over", async () => {
  const step = fc.record({
    process: fc.boolean(),
    kind: fc.constantFrom("create", "replace", "remove"),
    target: fc.nat(5),
    value: fc.constantFrom("a", "b", "c", undefined),
    /** Number of writes after which the connection is lost. Reads are not affected, because the SDK repeats them. */
    cutAt: fc.option(fc.nat(12), { nil: undefined }),
    when: fc.constantFrom("before" as const, "after" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      account.editItems((item) => (item.kind === "layout" ? item : undefined));
      for (const { process, kind, target, value, cutAt, when } of steps) {
        const context = process ? one : other;
        const found = documents()[target % Math.max(1, documents().length)];
        const given = value === undefined ? {} : { clientIdKey: value };
        const partitionKey = kind === "create" ? `p${target % 2}` : (found?.partitionKey ?? "");
        const id = found?.documentId ?? "";
        const etag = String(Reflect.get(found ?? {}, "_etag"));
        if (kind !== "create" && !found) continue;
        const document = testCluster({ partitionKey, ...given, ...(kind === "replace" ? { id } : {}) });
        let writes = 0;
        account.injectFaults(({ method }) =>
          method !== "GET" && writes++ === cutAt ? { kind: "cut", when } : undefined,
        );
        const write: Write =
          kind === "remove"
            ? { kind, collection, id, etag }
            : kind === "create"
              ? created(document)
              : { kind: "replace", collection, document, etag };
        try {
          await commit(context, partitionKey, [write], { signal });
        } catch (error) {
          if (!isCoded(error, "StoreUnavailable")) throw error;
        }
        account.injectFaults(undefined);
      }
      await other.reservations.sweep(allAgesMs, signal);
      assertExact();
    }),
    { numRuns: 25 },
  );
});

test("an item of the documents' container identifies its document", async () => {
  const id = `${randomUUID()} /\\?#=%🦺`;
  await stored(one, testCluster({ id }));
  const [item] = documents();
  assert.equal(item?.documentId, id);
  assert.equal(item?.id, documentItemId(collection, id));
  assert.match(item?.id ?? "", /^[\w:.~=-]+$/);
});
