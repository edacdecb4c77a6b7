// Writes documents until it is killed. Prints the ID of each once it is committed, and of none before.
// Arguments: "pglite" and a folder, or "postgres" and a URL; the key; a prefix of the IDs.
import { Secret, silentLogger } from "@keelson/base";
import { create } from "../database.ts";
import { createKeyring } from "../keyring.ts";
import { openDatabase } from "../open.ts";
import { pgliteDriver } from "../pglite/driver.ts";
import { postgresDriver } from "../postgres/driver.ts";
import { testCluster, testDefinitions } from "./targets.ts";

const [kind, place = "", key = "", prefix = ""] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
const database = await openDatabase({
  driver: kind === "pglite" ? pgliteDriver({ dataDir: place }) : postgresDriver({ url: place }),
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
