import type { WriteState } from "../documents/write-state.ts";

/** Sizes of a connection pool. */
export interface PoolSize {
  readonly open: number;
  readonly idle: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

/** Observer of a store's measurements, for metrics. */
export interface StoreObserver {
  /** Called after each statement. `name` has at most 100 values, for example `commit openshift_clusters`. */
  statement(name: string, seconds: number, outcome: "completed" | "failed"): void;
  pool(size: PoolSize): void;
  /** Called when a connection was lost or could not be opened. */
  connectionFailed(): void;
  writes(state: WriteState): void;
}
