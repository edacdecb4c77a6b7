import { backoffMs, type Clock, type Logger, messageOf, type Tracing } from "@keelson/base";
import {
  type ClusterContext,
  type ClusterEnvironment,
  ClusterOperation,
  isTransient,
} from "@keelson/cluster";
import { type Leased, replace } from "@keelson/database";
import {
  type ClusterDocument,
  isManifestOf,
  type MaintenanceManifest,
  type MaintenanceManifestDocument,
  type ServiceDatabase,
  withManifest,
} from "@keelson/model";
import {
  acquireIdleLease,
  type Graph,
  type HeldLease,
  type IdleLease,
  isInterruption,
  type WorkSignals,
} from "@keelson/workflow";
import type { ActuatorMetrics } from "../metrics/maintenance-metrics.ts";
import { maxAttempts, resultOf, type TaskOutcome } from "./manifest-result.ts";
import { isItsTurn } from "./turn.ts";

/** Tasks by ID. */
export type MaintenanceTasks = ReadonlyMap<string, Graph<ClusterContext>>;

export interface ManifestWorkerDeps extends WorkSignals {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  readonly tasks: MaintenanceTasks;
  readonly owner: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** Time limit in ms for one attempt of a task. */
  readonly taskMs: number;
  /** Delay in ms before a manifest is retried if its cluster is busy. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ActuatorMetrics;
  readonly tracing: Tracing;
}

/** Options for releasing the lease of an unfinished manifest. */
interface GivenBack {
  readonly backoffMs: number;
  /** True if the task did not run. The attempt is then not counted. */
  readonly uncounted: boolean;
}

/** Back-off after a transient task failure. */
const retry = { attempts: maxAttempts, firstMs: 30_000, factor: 2, maxMs: 300_000, jitter: 0.1 };
const backoffAfterTroubleMs = 10_000;
/**
 * Status text for pending manifests that an earlier release created. Such a manifest may belong to a deleted cluster that had the
 * same name as the current cluster.
 */
const unboundText =
  "planned by an earlier release, which did not store the cluster's document. Plan it again";

/**
 * Runs the task of one manifest, or releases the manifest.
 *
 * A task has exclusive access to its cluster. It acquires the cluster's lease, like the workers of operations, and only if the
 * cluster is idle. A requested operation waits while a task runs. A task waits while an operation is queued or running. If a
 * worker crashes, both leases expire. The manifest is still `InProgress`, so the next worker acquires it and resumes from its
 * journal.
 *
 * | state      | condition                                  | next state        |
 * | ---------- | ------------------------------------------ | ----------------- |
 * | Pending    | its time window has passed                 | TimedOut          |
 * | any        | unknown task, or deleted cluster           | Failed            |
 * | any        | it belongs to an earlier cluster           | Failed            |
 * | Pending    | an older release created it                | Failed            |
 * | Pending    | its task starts                            | InProgress        |
 * | InProgress | its task succeeds                          | Completed         |
 * | InProgress | transient failure                          | Pending           |
 * | InProgress | permanent failure                          | Failed            |
 * | InProgress | failure of the fifth attempt               | RetriesExceeded   |
 */
export async function workOnManifest(
  leased: Leased<MaintenanceManifestDocument>,
  held: HeldLease<MaintenanceManifestDocument>,
  deps: ManifestWorkerDeps,
): Promise<void> {
  const { id, clusterResourceID, maintenanceManifest } = leased.document;
  const logger = deps.logger.child({
    manifestId: id,
    taskId: maintenanceManifest.maintenanceTaskID,
    resourceId: clusterResourceID,
    attempt: leased.attempt,
  });
  const worker = new ManifestWorker(leased, held, { ...deps, logger });
  let givenBack: GivenBack | undefined;
  try {
    givenBack = await worker.run();
  } catch (error) {
    logger.warn({ error: messageOf(error) }, "worker stopped before the manifest's end");
    givenBack = { backoffMs: deps.signal.aborted ? 0 : backoffAfterTroubleMs, uncounted: false };
  }
  if (givenBack === undefined || held.signal.aborted) return;
  await deps.database.collections.manifests
    .release(held.lease, { ...givenBack, signal: held.signal })
    .catch((error: unknown) => logger.warn({ error: messageOf(error) }, "lease could not be released"));
}

class ManifestWorker {
  readonly #held: HeldLease<MaintenanceManifestDocument>;
  readonly #deps: ManifestWorkerDeps;
  readonly #attempt: number;
  /**
   * Document ID of the cluster. Undefined until the cluster is found. Manifests that an earlier release started lack this ID, so
   * the worker stores it in them.
   */
  #clusterDocumentId: string | undefined;
  #stored: { readonly document: MaintenanceManifestDocument; readonly etag: string };

  constructor(
    leased: Leased<MaintenanceManifestDocument>,
    held: HeldLease<MaintenanceManifestDocument>,
    deps: ManifestWorkerDeps,
  ) {
    this.#held = held;
    this.#deps = deps;
    this.#attempt = leased.attempt;
    this.#stored = leased;
  }

  /** Runs the manifest and returns the options for its release. Returns undefined if the manifest has ended. */
  async run(): Promise<GivenBack | undefined> {
    const { clock, tasks, database } = this.#deps;
    const { state, runBefore, maintenanceTaskID } = this.#manifest;
    const now = clock.now();
    if (state === "Pending" && now.getTime() > runBefore * 1000) {
      return this.#end({ state: "TimedOut", statusText: `timed out at ${now.toISOString()}` });
    }
    const graph = tasks.get(maintenanceTaskID);
    if (!graph) return this.#end({ state: "Failed", statusText: "task ID not registered" });
    if (this.#attempt > maxAttempts) {
      const error = new Error("its workers vanished");
      return this.#end(resultOf({ kind: "failed", error, transient: true }, maxAttempts));
    }
    const cluster = await this.#findCluster();
    if (!cluster || !isManifestOf(cluster, this.#stored.document))
      return this.#end({ state: "Failed", statusText: "the cluster does not exist" });
    if (state === "Pending" && this.#stored.document.clusterDocumentId === undefined)
      return this.#end({ state: "Failed", statusText: unboundText });
    this.#clusterDocumentId = cluster.id;
    const { manifests } = database.collections;
    if (!(await isItsTurn(manifests, this.#stored.document, now, this.#held.signal))) return this.#wait();
    const collection = database.collections.clusters;
    const lease = await acquireIdleLease({ ...this.#deps, collection, document: cluster }, this.#held.signal);
    if (!lease) return this.#wait();
    await using held = lease;
    return await this.#carryOut(held, graph);
  }

  get #manifest(): MaintenanceManifest {
    return this.#stored.document.maintenanceManifest;
  }

  #wait(): GivenBack {
    return { backoffMs: this.#deps.waitMs, uncounted: true };
  }

  async #findCluster(): Promise<ClusterDocument | undefined> {
    const key = this.#stored.document.clusterResourceID;
    const subscriptionId = key.split("/")[2] ?? "";
    const { clusters } = this.#deps.database.collections;
    return (await clusters.findBy(subscriptionId, "key", key, this.#held.signal))?.document;
  }

  async #carryOut(
    { leased, held }: IdleLease<ClusterDocument>,
    graph: Graph<ClusterContext>,
  ): Promise<GivenBack | undefined> {
    if (this.#manifest.state === "Pending" && !(await this.#begin())) return this.#wait();
    const outcome = await this.#try(leased, held, graph);
    if (outcome === "drained") return { backoffMs: 0, uncounted: true };
    return await this.#complete(outcome);
  }

  /** Marks the manifest as started. Returns false if a different writer has changed it, for example to cancel it. */
  async #begin(): Promise<boolean> {
    this.#deps.logger.info("executing manifest");
    return this.#write({ state: "InProgress", statusText: "" });
  }

  /** Runs one attempt of the task. @throws LeaseLost, RunInterrupted if a different worker must resume the task */
  async #try(
    stored: Leased<ClusterDocument>,
    guard: HeldLease<ClusterDocument>,
    graph: Graph<ClusterContext>,
  ): Promise<TaskOutcome | "drained"> {
    const { database, environment, clock, taskMs, signal } = this.#deps;
    const { partitionKey } = stored.document;
    const ended = new AbortController();
    const timeUp = new AbortController();
    const timer = clock
      .sleep(taskMs, ended.signal)
      .then(() => timeUp.abort(new Error("the task took too long")))
      .catch(() => undefined);
    try {
      const subscription = await database.collections.subscriptions.find(partitionKey, partitionKey, signal);
      if (!subscription) throw new Error(`the subscription ${partitionKey} is not registered`);
      await using operation = new ClusterOperation({
        ...this.#deps,
        stored,
        // The journal's ID is the manifest's ID. The journal thus includes earlier attempts, even those of crashed workers.
        operationId: this.#stored.document.id,
        subscription: subscription.document,
        guard,
        signal: AbortSignal.any([signal, this.#held.signal, timeUp.signal]),
        plan: [graph],
      });
      await operation.load();
      return (await operation.run()) === "drained" ? "drained" : { kind: "completed" };
    } catch (error) {
      if (timeUp.signal.aborted) return { kind: "failed", error: timeUp.signal.reason, transient: false };
      if (isInterruption(error)) throw error;
      return { kind: "failed", error, transient: isTransient(error, environment) };
    } finally {
      ended.abort();
      await timer;
    }
  }

  async #complete(outcome: TaskOutcome): Promise<GivenBack | undefined> {
    const { logger } = this.#deps;
    const result = resultOf(outcome, this.#attempt);
    if (outcome.kind === "failed") logger.error({ ...result }, "manifest was not carried out");
    else logger.info("manifest executed successfully");
    if (result.state !== "Pending") return this.#end(result);
    this.#deps.metrics.ended.inc({ state: result.state });
    await this.#write(result);
    return { backoffMs: backoffMs(retry, this.#attempt), uncounted: false };
  }

  /** Writes the manifest's final state and releases its lease in one commit. */
  async #end(result: Partial<MaintenanceManifest>): Promise<GivenBack | undefined> {
    if (!(await this.#write(result, true))) return { backoffMs: 0, uncounted: true };
    this.#deps.metrics.ended.inc({ state: this.#manifest.state });
    return undefined;
  }

  /**
   * Updates the manifest. Returns false if the manifest has changed since it was read.
   * @throws Error if the manifest's lease is lost
   */
  async #write(change: Partial<MaintenanceManifest>, release = false): Promise<boolean> {
    const { manifests } = this.#deps.database.collections;
    const changed = withManifest(this.#stored.document, change);
    const clusterDocumentId = this.#clusterDocumentId;
    const document = clusterDocumentId === undefined ? changed : { ...changed, clusterDocumentId };
    const { lease, signal } = this.#held;
    const write = replace(manifests, this.#stored, document);
    const result = await this.#deps.database.commit(document.partitionKey, [write], {
      lease,
      release,
      signal,
    });
    if (result.kind === "lease-lost") throw new Error("the manifest's lease was lost");
    if (result.kind !== "committed") return false;
    this.#stored = { document, etag: result.etags[0] ?? "" };
    return true;
  }
}
