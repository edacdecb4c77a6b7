import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type AdminAction, actionError, type ConnectCluster, noJournal } from "@keelson/admin-actions";
import { CloudError, resourceKey } from "@keelson/arm";
import { type Clock, type JsonValue, type Logger, type Metrics, messageOf, withTimeout } from "@keelson/base";
import type { Leased } from "@keelson/database";
import {
  type AdminActionDocument,
  type ClusterDocument,
  isBoundTo,
  type ServiceDatabase,
} from "@keelson/model";
import { acquireIdleLease, HeldLease, type IdleLease } from "@keelson/workflow";
import type { Pieces, Response } from "../../http/messages/response.ts";
import { type ActionRequest, recordedParameters, sealedRecord } from "./action-request.ts";
import { ActionRun, isActionLost } from "./action-run.ts";
import { type ActionEnd, carryOut } from "./perform-action.ts";
import { storeAction } from "./store-action.ts";
import { takeCluster } from "./take-cluster.ts";
import { UnplannedMaintenance } from "./unplanned-maintenance.ts";

export interface ActionRunnerOptions {
  readonly database: ServiceDatabase;
  readonly connectCluster: ConnectCluster;
  /** Actions that processes of this service may have started. */
  readonly actions: readonly AdminAction[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** Lease duration in ms. When a process dies, a different process can resume its action after this time. */
  readonly leaseMs: number;
  /** Interval between lease renewals in ms. */
  readonly heartbeatMs: number;
  /** Interval in ms between polls for actions of dead processes. */
  readonly pollMs: number;
  /** Maximum time in ms to wait for the preceding action on the cluster. */
  readonly turnMs: number;
}

/** Maximum number of times that an action is started. A start also counts if its process dies. */
const maxAttempts = 5;
const takenAtOnce = 10;
const unknownBackoffMs = 10_000;
const busyBackoffMs = 2_000;

/**
 * Runs actions that change clusters. Across all replicas, at most one action runs on each cluster. If a process dies, a different
 * process resumes its actions.
 */
export class ActionRunner {
  readonly #options: ActionRunnerOptions;
  readonly #owner = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #detached = new Set<Promise<unknown>>();
  /** Aborts only the actions that other processes can resume. */
  readonly #draining = new AbortController();
  /** Aborts all actions. */
  readonly #abandoned = new AbortController();
  readonly #unplanned: UnplannedMaintenance;
  #takeOver: Promise<void> = Promise.resolve();

  constructor(options: ActionRunnerOptions) {
    this.#options = options;
    this.#unplanned = new UnplannedMaintenance(options.clock, options.metrics);
  }

  /** Starts to poll for actions of dead processes. */
  start(): this {
    this.#takeOver = this.#takeOverLoop();
    return this;
  }

  /** Runs an action that does not change the cluster. */
  observe(request: ActionRequest, signal: AbortSignal): Promise<Response> {
    return carryOut(request, { ...this.#options, journal: noJournal, signal });
  }

  /**
   * Acquires the cluster for an action.
   * @throws Conflict if the cluster is already in use
   */
  async begin(request: ActionRequest, signal: AbortSignal): Promise<ActionRun> {
    const options = { ...this.#options, owner: this.#owner };
    const cluster = await takeCluster(request.document, options, signal);
    try {
      const document = this.#newDocument(request);
      const { leased, askedAtMs } = await storeAction(document, { ...options, cluster }, signal);
      return this.#hold(leased, askedAtMs, cluster, request);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs an action while its caller waits. `signal` aborts when the caller disconnects. */
  run(run: ActionRun, request: ActionRequest, signal: AbortSignal): Promise<Response> {
    const all = AbortSignal.any([signal, run.signal, this.#abandoned.signal]);
    return carryOut(request, {
      ...this.#options,
      journal: run,
      signal: all,
      ended: (end) => this.#end(run, request, end),
    });
  }

  /**
   * Runs the action to completion, even after the caller has disconnected. Text that the action writes becomes progress lines.
   */
  runDetached(run: ActionRun, request: ActionRequest): Promise<Response> {
    const signal = request.action.long?.resumable ? this.#draining.signal : this.#abandoned.signal;
    const { action } = request;
    const kept: (string | Uint8Array)[] = [];
    // The text is buffered only for actions that continue after their caller disconnects. Callers of all other actions cannot
    // read it later.
    const keep = action.long?.detached ? (piece: string | Uint8Array) => kept.push(piece) : () => {};
    const collecting: AdminAction = {
      ...action,
      handle: async (context, parameters) =>
        collect(await action.handle(context, parameters, run), run, keep),
    };
    const response = this.run(run, { ...request, action: collecting }, signal).then((each) =>
      kept.length > 0 ? { ...each, text: kept } : each,
    );
    const settled = response
      .catch(() => undefined)
      .finally(() => {
        this.#detached.delete(settled);
      });
    this.#detached.add(settled);
    return response;
  }

  /** Hands over resumable actions to other processes. Waits for all other actions until the signal aborts. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#draining.abort(
      new CloudError(
        "ServiceUnavailable",
        "The service is stopping. A different process resumes the action.",
      ),
    );
    const abandon = () =>
      this.#abandoned.abort(
        new CloudError("ServiceUnavailable", "The service is stopping. The action was abandoned."),
      );
    if (signal.aborted) abandon();
    signal.addEventListener("abort", abandon, { once: true });
    await this.#takeOver;
    await Promise.all(this.#detached);
    signal.removeEventListener("abort", abandon);
  }

  async #end(run: ActionRun, request: ActionRequest, { state, error, response }: ActionEnd): Promise<void> {
    const { clock, logger } = this.#options;
    try {
      const stops = this.#draining.signal.aborted && state === "Interrupted";
      if (stops && request.action.long?.resumable) await run.handOver();
      else {
        const record = response ? resultOf(response) : { error: actionError(error).body };
        await run.end(state, clock.now(), record);
      }
    } catch (failure) {
      const { id } = run.document;
      const level = isActionLost(failure) ? "warn" : "error";
      logger[level]({ actionId: id, reason: messageOf(failure) }, "the end of an action was not written");
    } finally {
      await run[Symbol.asyncDispose]();
    }
  }

  #newDocument(request: ActionRequest): AdminActionDocument {
    const { action, document, caller, callerName, reason, correlationId, requestId } = request;
    const now = this.#options.clock.now();
    return {
      id: randomUUID(),
      partitionKey: document.partitionKey,
      openShiftClusterKey: document.key,
      clusterDocumentId: document.id,
      lockKey: document.key,
      newestFirst: -now.getTime(),
      action: action.suffix,
      ...(caller === undefined ? {} : { caller }),
      ...(callerName === undefined ? {} : { callerName }),
      ...(reason === undefined ? {} : { reason }),
      ...(correlationId === undefined ? {} : { correlationId }),
      requestId,
      parameters: recordedParameters(request),
      resumable: action.long?.resumable ?? false,
      state: "Running",
      startedAt: now.toISOString(),
      record: sealedRecord({ progress: [], steps: {} }),
    };
  }

  #hold(
    leased: Leased<AdminActionDocument>,
    askedAtMs: number,
    cluster: IdleLease<ClusterDocument> | undefined,
    request: Pick<ActionRequest, "action" | "document"> | undefined,
  ): ActionRun {
    const collection = this.#options.database.collections.adminActions;
    const held = new HeldLease({ ...this.#options, collection, leased, askedAtMs }).start();
    const maintenance =
      request && !request.action.planned
        ? this.#unplanned.begin(request.document.openShiftCluster.id)
        : undefined;
    return new ActionRun(leased, held, { ...this.#options, cluster, maintenance });
  }

  async #takeOverLoop(): Promise<void> {
    const { clock, pollMs, logger } = this.#options;
    const draining = this.#draining.signal;
    while (!draining.aborted) {
      try {
        await this.#takeOverOnce();
      } catch (error) {
        logger.warn({ reason: messageOf(error) }, "actions of dead processes could not be read");
      }
      await clock.sleep(pollMs, draining).catch(() => undefined);
    }
  }

  async #takeOverOnce(): Promise<void> {
    const { database, clock, leaseMs } = this.#options;
    const askedAtMs = clock.monotonicMs();
    // The acquisition completes even after draining has begun. An aborted acquisition could leave leases that no process uses.
    const signal = withTimeout(this.#abandoned.signal, leaseMs);
    const acquisition = { owner: this.#owner, ttlMs: leaseMs, limit: takenAtOnce, signal };
    const all = await database.collections.adminActions.acquire(acquisition);
    for (const leased of all) await this.#resume(leased, askedAtMs, signal);
  }

  async #resume(leased: Leased<AdminActionDocument>, askedAtMs: number, signal: AbortSignal): Promise<void> {
    const { database, clock, logger } = this.#options;
    const { document, lease, attempt } = leased;
    const { id, partitionKey, openShiftClusterKey, parameters, requestId, caller, reason, correlationId } =
      document;
    const action = this.#options.actions.find((each) => each.mutating && each.suffix === document.action);
    const key = resourceKey(openShiftClusterKey);
    const found = await database.collections.clusters.findBy(partitionKey, "key", key, signal);
    // If the cluster was deleted and recreated with the same name, the action must not run on the new cluster.
    const isBound = found && isBoundTo(found.document, document.clusterDocumentId, document.startedAt);
    const cluster = isBound ? found : undefined;
    if (!action && document.resumable && attempt <= maxAttempts) {
      // This process does not know the action, because a process of a newer build started it. A process of that build can run the
      // action.
      const later = { backoffMs: unknownBackoffMs, signal };
      return database.collections.adminActions.release(lease, later);
    }
    if (action && cluster && document.resumable && document.record && attempt <= maxAttempts) {
      const options = { ...this.#options, owner: this.#owner, collection: database.collections.clusters };
      const held = await acquireIdleLease({ ...options, document: cluster.document }, signal);
      if (!held) {
        // An operation or a maintenance task has acquired the cluster before this process.
        const later = { backoffMs: busyBackoffMs, uncounted: true, signal };
        return database.collections.adminActions.release(lease, later);
      }
      const { document: current } = held.leased;
      const request = { action, parameters, document: current, requestId, caller, reason, correlationId };
      logger.info({ actionId: id, action: action.suffix, attempt }, "resuming an action");
      const run = this.#hold(leased, askedAtMs, held, request);
      this.runDetached(run, request).catch(() => undefined);
      return;
    }
    await using run = this.#hold(leased, askedAtMs, undefined, undefined);
    const message = cluster
      ? "The process that ran the action has died. Check what it has done before you start it again."
      : "The cluster is gone.";
    await run.end("Interrupted", clock.now(), { error: { code: "Interrupted", message } });
    logger.warn({ actionId: id, action: document.action, attempt }, "an action was interrupted");
  }
}

function resultOf({ body }: Response): { readonly result?: JsonValue } {
  // The stored result must be JSON, because the response was sent as JSON.
  return body === undefined ? {} : { result: JSON.parse(JSON.stringify(body)) };
}

/** Adds text to the progress and also calls `pass` as soon as the text arrives. */
async function collect(
  { text, items, ...response }: Response,
  run: ActionRun,
  pass: (piece: string | Uint8Array) => void,
): Promise<Response> {
  if (text) for await (const line of linesOf(passing(text, pass))) run.report(line);
  if (!items) return response;
  return { ...response, body: await Array.fromAsync(items) };
}

async function* passing<T>(pieces: Pieces<T>, pass: (piece: T) => void): AsyncGenerator<T> {
  for await (const piece of pieces) {
    pass(piece);
    yield piece;
  }
}

async function* linesOf(text: Pieces<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of text) {
    const lines = (
      rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }))
    ).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
