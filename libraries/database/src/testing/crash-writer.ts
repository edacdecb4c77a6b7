// Writes documents until the process is killed. Prints the ID of each document after its commit. Arguments: store, encryption
// key, ID prefix. The store is "pglite" and a directory, "postgres" and a URL, or "cosmos" and its address as JSON.
import { Secret, silentLogger } from "@keelson/base";
import { cosmosDriver } from "../cosmos/driver.ts";
import { create } from "../documents/database.ts";
import { createKeyring } from "../encryption/keyring.ts";
import { openDatabase } from "../open.ts";
import { pgliteDriver } from "../pglite/driver.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { testCluster, testDefinitions } from "./test-documents.ts";

const [kind, place = "", key = "", prefix = ""] = process.argv.slice(2);
const signal = AbortSignal.timeout(900_000);

function driver() {
  if (kind === "pglite") return pgliteDriver({ dataDir: place });
  if (kind === "postgres") return postgresDriver({ url: place });
  const { url, databaseName, accountKey } = JSON.parse(place);
  return cosmosDriver({ endpoint: url, databaseName, credential: new Secret(accountKey) });
}

const database = await openDatabase({
  driver: driver(),
  definitions: testDefinitions,
  keyring: createKeyring({ current: "key", keys: { key: Buffer.from(key, "hex") } }),
  logger: silentLogger,
  signal,
});
for (let index = 0; !signal.aborted; index++) {
  const id = `${prefix}-${index}`;
  const openShiftCluster = { pullSecret: new Secret("correct horse battery staple"), plain: "legible text" };
  const document = testCluster({ id, openShiftCluster, busy: true });
  const entry = { id, partitionKey: document.partitionKey, operationId: id };
  const { clusters, journal } = database.collections;
  const writes = [create(clusters, document), create(journal, entry)];
  const result = await database.commit(document.partitionKey, writes, { signal });
  if (result.kind !== "committed") throw new Error(`commit of ${id}: ${result.kind}`);
  process.stdout.write(`${id}\n`);
}
