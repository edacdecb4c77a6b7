import type { Body, StoredDocuments } from "../../e2e/support/stored-documents.ts";

/** The documents that versions share. */
export interface SharedDocuments extends StoredDocuments, AsyncDisposable {
  /** What `database` of the configuration of a process is. */
  readonly database: object;
  /** Changes the document of a cluster that nothing is being done with. False where something is, or it changed meanwhile. */
  editIdleCluster(name: string, change: (body: Body) => Body): Promise<boolean>;
}

export async function findCluster(documents: StoredDocuments, name: string): Promise<Body | undefined> {
  const clusters = await documents.list("openshift_clusters");
  return clusters.find(({ openShiftCluster }) => openShiftCluster.name === name);
}
