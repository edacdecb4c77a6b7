import assert from "node:assert/strict";
import { type JournalRow, parseJournal } from "../../e2e/support/journal.ts";

/** A document as it is stored, of any version. */
// biome-ignore lint/suspicious/noExplicitAny: documents of versions that differ
export type Body = any;

/** The documents that versions share, wherever they are kept. */
export interface SharedDocuments extends AsyncDisposable {
  /** What `database` of the configuration of a process is. */
  readonly database: object;
  list(collection: string): Promise<readonly Body[]>;
  /** Changes the document of a cluster that nothing is being done with. False where something is, or it changed meanwhile. */
  editIdleCluster(name: string, change: (body: Body) => Body): Promise<boolean>;
}

export async function findCluster(documents: SharedDocuments, name: string): Promise<Body | undefined> {
  const clusters = await documents.list("openshift_clusters");
  return clusters.find(({ openShiftCluster }) => openShiftCluster.name === name);
}

export async function readJournal(documents: SharedDocuments): Promise<ReadonlyMap<string, JournalRow>> {
  const rows = await documents.list("journal");
  return parseJournal(rows.map((body) => ({ body: JSON.stringify(body) })));
}

/** How many operations there were. @throws AssertionError for one that has not ended, or not in success */
export async function endedOperations(documents: SharedDocuments): Promise<number> {
  const operations = await documents.list("async_operations");
  for (const { asyncOperation } of operations) {
    assert.ok(asyncOperation.endTime, `an operation is ${asyncOperation.status} and has no end`);
    assert.equal(asyncOperation.status, "Succeeded");
  }
  return operations.length;
}

/** Why operations of a cluster failed, in what step. */
export async function failedSteps(documents: SharedDocuments, name: string): Promise<readonly object[]> {
  const rows = await documents.list("journal");
  return rows
    .filter(
      ({ state, openShiftClusterKey = "" }) => state === "failed" && openShiftClusterKey.endsWith(`/${name}`),
    )
    .map(({ step, error }) => ({ step, error }));
}
