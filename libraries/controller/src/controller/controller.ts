import type { Logger } from "@keelson/base";
import type { ObjectKey } from "@keelson/kube";
import type { Result } from "../queue/work-queue.ts";
import type { Watch } from "./watch.ts";

/** Arguments of one `reconcile` call. */
export interface ReconcileScope {
  /** Aborts at shutdown, loss of leadership or timeout of the call. */
  readonly signal: AbortSignal;
  /** Logger with fields for the controller, the key and the ID of this call. */
  readonly logger: Logger;
}

/**
 * Level-triggered controller. `reconcile` reads the current state of its key and moves it towards the desired state. `reconcile`
 * gets no event. Its result therefore depends only on the state, and a restart is harmless at any time.
 */
export interface Controller<Context> {
  /** Name in metrics and logs, unique in its manager. */
  readonly name: string;
  readonly watches: readonly Watch<Context>[];
  /** Keys that are reconciled when the controller starts, even if no object exists. */
  readonly initialKeys?: readonly ObjectKey[];
  /** Maximum number of keys that are reconciled concurrently. Two calls never reconcile the same key concurrently. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Time limit in ms for one call. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Maximum retry delay in ms of a failing key. Default: 1,000 seconds, as in client-go. */
  readonly maxRetryMs?: number;
  /** Interval in ms, ± 10 %, after which all watched keys are reconciled again. Default: never. */
  readonly resyncMs?: number | undefined;
  reconcile(key: ObjectKey, context: Context, scope: ReconcileScope): Promise<Result>;
}

/** Default options of the controllers in a program. */
export type ControllerDefaults = Pick<Controller<unknown>, "concurrency" | "timeoutMs" | "maxRetryMs">;

/** Result that requests no further reconcile. The key is reconciled again only after a change or a resync. */
export const done: Result = {};
