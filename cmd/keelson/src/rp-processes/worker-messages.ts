import type { MetricJson } from "@keelson/base";

/** Settings of one process of `keelson rp --processes N`. */
export interface WorkerSettings {
  /** True for the process that also runs the backend and the remaining roles of the service. */
  readonly isFirst: boolean;
}

/** Message from the parent to a process. */
export interface ToWorker {
  readonly kind: "metrics";
  /** Request ID. The response contains the same ID. */
  readonly id: number;
}

/** Message from a process to its parent. */
export type FromWorker =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "metrics"; readonly id: number; readonly metrics: readonly MetricJson[] };
