import type { Logger } from "@keelson/base";
import type { ObjectKey } from "@keelson/kube";
import type { Result } from "../queue/work-queue.ts";
import type { Watch } from "./watch.ts";

/** Context of one call of `reconcile`. */
export interface ReconcileScope {
  /** Aborts at shutdown, loss of leadership or timeout of the call. */
  readonly signal: AbortSignal;
  /** Its lines carry the controller, the key and an ID of this call. */
  readonly logger: Logger;
}

/**
 * Level-triggered controller. `reconcile` reads the present state of its key and moves it towards the desired
 * state. It never depends on an event, so a restart at any point is harmless.
 */
export interface Controller<Context> {
  /** Name in metrics and logs, unique in its manager. */
  readonly name: string;
  readonly watches: readonly Watch<Context>[];
  /** Keys reconciled when the controller starts, for subjects that need no object to begin with. */
  readonly initialKeys?: readonly ObjectKey[];
  /** Number of keys reconciled concurrently. A single key is never reconciled concurrently. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Time limit for one call. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Maximum retry delay of a failing key. Default: 1,000 seconds, as in client-go. */
  readonly maxRetryMs?: number;
  /** Interval, ± 10 %, after which every key of its watches is reconciled again. Default: never. */
  readonly resyncMs?: number | undefined;
  reconcile(key: ObjectKey, context: Context, scope: ReconcileScope): Promise<Result>;
}

/** Defaults for controllers that do not set these options. */
export type ControllerDefaults = Pick<Controller<unknown>, "concurrency" | "timeoutMs" | "maxRetryMs">;

/** Result without a requeue. The key is reconciled again after a change. */
export const done: Result = {};
