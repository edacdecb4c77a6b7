import type { Body, StoredDocuments } from "../../e2e/support/stored-documents.ts";

/** Documents that processes of different versions share. */
export interface SharedDocuments extends StoredDocuments, AsyncDisposable {
  /** Value of the property `database` in the configuration of a process. */
  readonly database: object;
  /** Changes the document of an idle cluster. False if the cluster is busy or the document was changed concurrently. */
  editIdleCluster(name: string, change: (body: Body) => Body): Promise<boolean>;
}

export async function findCluster(documents: StoredDocuments, name: string): Promise<Body | undefined> {
  const clusters = await documents.list("openshift_clusters");
  return clusters.find(({ openShiftCluster }) => openShiftCluster.name === name);
}
