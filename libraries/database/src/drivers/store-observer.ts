import type { WriteState } from "../documents/write-state.ts";

/** Connections of a pool. */
export interface PoolSize {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** Receives measurements of a store, for metrics. */
export interface StoreObserver {
  /** `name` has at most 100 values, for example `commit openshift_clusters`. */
  statement(name: string, seconds: number, outcome: "completed" | "failed"): void;
  pool(size: PoolSize): void;
  /** A connection was lost or could not be opened. */
  connectionFailed(): void;
  writes(state: WriteState): void;
}
