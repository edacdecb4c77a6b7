import { randomBytes, randomUUID } from "node:crypto";
import { isPlainObject, Secret, silentLogger, systemClock } from "@keelson/base";
import { type SimulatedCosmos, startSimulatedCosmos } from "@keelson/sim-azure/cosmos";
import { cosmosDriver } from "../cosmos/driver.ts";
import type { Keyring } from "../encryption/keyring.ts";
import { openDatabase } from "../open.ts";
import { testDefinitions, testKeyring } from "./test-documents.ts";
import type { TestStore } from "./test-store.ts";

export interface TestCosmos extends SimulatedCosmos {
  /** Base64. */
  readonly key: Secret;
}

/** Starts a simulated Cosmos DB account in this process, over plain HTTP. */
export async function startTestCosmos(): Promise<TestCosmos> {
  const key = new Secret(randomBytes(64).toString("base64"));
  const account = await startSimulatedCosmos({
    host: "127.0.0.1",
    port: 0,
    key,
    clock: systemClock,
    logger: silentLogger,
    consistency: "Strong",
  });
  return { ...account, key };
}

/** Creates a driver for a database in an account. Default: a new database. */
export function testCosmosDriver({ url, key }: TestCosmos, databaseName = `test-${randomUUID()}`) {
  return cosmosDriver({ endpoint: url, databaseName, credential: key, changePollMs: 20 });
}

type StoredItem = Parameters<Parameters<SimulatedCosmos["editItems"]>[0]>[0];

/** Opens a store in an account that has no other users. */
export async function openCosmosStore(
  account: TestCosmos,
  keyring: Keyring = testKeyring(),
): Promise<TestStore> {
  const driver = testCosmosDriver(account);
  const database = await openDatabase({
    driver,
    definitions: testDefinitions,
    keyring,
    logger: silentLogger,
    signal: AbortSignal.timeout(900_000),
  });
  const now = () => Date.now() / 1_000;
  const isOf = (item: StoredItem, collection: string, ...kinds: string[]) =>
    item.collection === collection && kinds.includes(String(item.kind));
  /** Changes or removes the items that match. Other items stay the same. */
  const edit = (
    isMeant: (item: StoredItem) => boolean,
    change: (item: StoredItem) => StoredItem | undefined,
  ) => account.editItems((item) => (isMeant(item) ? change(item) : item));
  const every = (isMeant: (item: StoredItem) => boolean): readonly StoredItem[] => {
    const items: StoredItem[] = [];
    edit(isMeant, (item) => {
      items.push(item);
      return item;
    });
    return items;
  };
  const clusterHeads = (item: StoredItem) => isOf(item, "openshift_clusters", "head");
  const clusters = (item: StoredItem) => isOf(item, "openshift_clusters", "document");
  const entries = (item: StoredItem) => isOf(item, "journal", "document");
  return {
    database,
    shared: driver,
    tables: undefined,
    async clear() {
      edit(
        ({ kind }) => kind !== "layout",
        () => undefined,
      );
    },
    async expireLeases() {
      edit(
        (item) => clusterHeads(item) && item.leaseExpires !== 0,
        (item) => ({ ...item, leaseExpires: 1 }),
      );
    },
    async endBackoffIn(ms) {
      edit(clusterHeads, (item) => ({ ...item, notBefore: Date.now() + ms }));
    },
    async removeClusters() {
      edit(
        (item) => clusterHeads(item) || clusters(item),
        () => undefined,
      );
    },
    async storedClusters() {
      return every((item) => clusterHeads(item) || clusters(item)).map((item) => JSON.stringify(item));
    },
    async storedBody() {
      const [item] = every(clusters);
      return isPlainObject(item) ? String(item.body) : "";
    },
    async copyBody(fromId, toId) {
      const [from] = every((item) => clusters(item) && item.documentId === fromId);
      edit(
        (item) => clusters(item) && item.documentId === toId,
        (item) => ({ ...item, body: from?.body }),
      );
    },
    async expireEntriesIn(ms) {
      edit(entries, (item) => ({ ...item, _ts: Math.floor(now() + ms / 1_000 - Number(item.ttl)) }));
    },
    async entryExpiresIn() {
      const [entry] = every(entries);
      return (Number(entry?._ts) + Number(entry?.ttl) - now()) * 1_000;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
