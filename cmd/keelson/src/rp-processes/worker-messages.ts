import type { MetricJson } from "@keelson/base";

/** Settings of one of the processes of `keelson rp --processes N`. */
export interface WorkerSettings {
  /** True for the process that also runs the backend and the other roles. */
  readonly isFirst: boolean;
}

/** Message to a process. */
export interface ToWorker {
  readonly kind: "metrics";
  /** The response has the same ID. */
  readonly id: number;
}

/** Message of a process. */
export type FromWorker =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "metrics"; readonly id: number; readonly metrics: readonly MetricJson[] };
