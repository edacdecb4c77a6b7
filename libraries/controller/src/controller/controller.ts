import type { Logger } from "@keelson/base";
import type { ObjectKey } from "@keelson/kube";
import type { Result } from "../queue/work-queue.ts";
import type { Watch } from "./watch.ts";

/** What one call of `reconcile` works with. */
export interface ReconcileScope {
  /** Aborts when the process stops, leadership is lost or the time for one call is over. */
  readonly signal: AbortSignal;
  /** Its lines carry the controller, the key and an ID of this call. */
  readonly logger: Logger;
}

/**
 * A level-triggered controller: `reconcile` reads the present state of its key and moves it towards the wanted one. It
 * never relies on having seen an event, so a restart at any line is harmless.
 */
export interface Controller<Context> {
  /** In metrics and logs, unique in its manager. */
  readonly name: string;
  readonly watches: readonly Watch<Context>[];
  /** Keys reconciled when the controller starts, for subjects that need no object to begin with. */
  readonly initialKeys?: readonly ObjectKey[];
  /** Keys reconciled side by side; 1 when absent. One key never is. */
  readonly concurrency?: number | undefined;
  /** For one call; 5 minutes when absent. */
  readonly timeoutMs?: number;
  /** The longest wait before a key that keeps failing is tried again; 1,000 seconds when absent, as in client-go. */
  readonly maxRetryMs?: number;
  /** Every key of its watches is reconciled again after this, ± 10 %, however quiet it is; never when absent. */
  readonly resyncMs?: number | undefined;
  reconcile(key: ObjectKey, context: Context, scope: ReconcileScope): Promise<Result>;
}

/** How a controller runs where it does not say so itself. */
export type ControllerDefaults = Pick<Controller<unknown>, "concurrency" | "timeoutMs" | "maxRetryMs">;

/** The key can rest until something it watches changes. */
export const done: Result = {};
