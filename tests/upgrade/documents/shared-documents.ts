import type { Body, StoredDocuments } from "../../e2e/support/stored-documents.ts";

/** Documents that versions share. */
export interface SharedDocuments extends StoredDocuments, AsyncDisposable {
  /** Property `database` in the configuration of a process. */
  readonly database: object;
  /**
   * Changes the document of an idle cluster. Returns false if the cluster is busy or the document changed
   * meanwhile.
   */
  editIdleCluster(name: string, change: (body: Body) => Body): Promise<boolean>;
}

export async function findCluster(documents: StoredDocuments, name: string): Promise<Body | undefined> {
  const clusters = await documents.list("openshift_clusters");
  return clusters.find(({ openShiftCluster }) => openShiftCluster.name === name);
}
