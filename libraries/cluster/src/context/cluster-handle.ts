import { type Database, replace, type Stored } from "@keelson/database";
import type { ClusterDocument, definitions, OpenShiftCluster } from "@keelson/model";
import { type LeaseGuard, Serial, workflowErrors } from "@keelson/workflow";

export interface ClusterHandleDeps {
  readonly database: Database<typeof definitions>;
  readonly guard: LeaseGuard;
}

const writeAttempts = 10;

/** Reads and writes the cluster document during one operation. Parallel steps of the operation share the handle. */
export class ClusterHandle {
  readonly #deps: ClusterHandleDeps;
  readonly #serial = new Serial();
  #stored: Stored<ClusterDocument>;

  constructor(deps: ClusterHandleDeps, stored: Stored<ClusterDocument>) {
    this.#deps = deps;
    this.#stored = stored;
  }

  /** Returns the document from the last read or write. */
  get stored(): Stored<ClusterDocument> {
    return this.#stored;
  }

  get cluster(): OpenShiftCluster {
    return this.#stored.document.openShiftCluster;
  }

  /**
   * Applies `change` to the current cluster and writes the result under the lease. Writes nothing if `change` returns its
   * argument. After a write conflict, reads the document and calls `change` again, so `change` must be pure.
   * @throws LeaseLost, DocumentContended
   */
  update(
    change: (cluster: OpenShiftCluster) => OpenShiftCluster,
    signal: AbortSignal,
  ): Promise<OpenShiftCluster> {
    return this.#serial.run(async () => {
      for (let attempt = 1; attempt <= writeAttempts; attempt++) {
        const openShiftCluster = change(this.cluster);
        if (openShiftCluster === this.cluster) return openShiftCluster;
        if (await this.#write({ ...this.#stored.document, openShiftCluster }, signal))
          return openShiftCluster;
        await this.reload(signal);
      }
      throw workflowErrors.DocumentContended(`the document of ${this.cluster.id} is contended`);
    });
  }

  /**
   * Reads the document again.
   * @throws LeaseLost if the document was deleted
   */
  async reload(signal: AbortSignal): Promise<void> {
    const { partitionKey, id } = this.#stored.document;
    const stored = await this.#deps.database.collections.clusters.find(partitionKey, id, signal);
    if (!stored) throw workflowErrors.LeaseLost(`the document of ${this.cluster.id} is gone`);
    this.#stored = stored;
  }

  async #write(document: ClusterDocument, signal: AbortSignal): Promise<boolean> {
    const { database, guard } = this.#deps;
    const { clusters } = database.collections;
    const write = replace(clusters, this.#stored, document);
    const result = await database.commit(document.partitionKey, [write], { lease: guard.lease, signal });
    if (result.kind === "lease-lost")
      throw workflowErrors.LeaseLost(`the lease on ${this.cluster.id} was lost`);
    if (result.kind !== "committed") return false;
    this.#stored = { document, etag: result.etags[0] ?? "" };
    return true;
  }
}
