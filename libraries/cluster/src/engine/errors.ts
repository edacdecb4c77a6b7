import { defineErrors, isCoded } from "@keelson/base";

/** What ends a run without ending its operation: another worker goes on. */
export const engineErrors = defineErrors({
  /** The lease is no longer ours; nothing may be changed any more. */
  LeaseLost: { retry: "never" },
  /** The run stopped before its end: abandoned, or the database did not take a journal entry. */
  RunInterrupted: { retry: "backoff" },
  /** A document changed under us again and again. */
  DocumentContended: { retry: "backoff" },
  /** The cluster cannot be worked on at the moment. */
  ClusterNotReady: { retry: "backoff" },
});

/** True when the operation is still to be done, by whoever acquires it next. */
export function isInterruption(error: unknown): boolean {
  return isCoded(error, "LeaseLost") || isCoded(error, "RunInterrupted");
}
