import { defineErrors, isCoded } from "@keelson/base";

/** What ends a run without ending its operation: another worker goes on. */
export const workflowErrors = defineErrors({
  /** The lease has expired or was taken over; nothing may be written any more. */
  LeaseLost: { retry: "never" },
  /** The run stopped before its end: abandoned, or the database did not take a journal entry. */
  RunInterrupted: { retry: "backoff" },
  /** Other writers changed the document in every attempt. */
  DocumentContended: { retry: "backoff" },
});

/** True when the operation is still to be done, by the next worker that acquires it. */
export function isInterruption(error: unknown): boolean {
  return isCoded(error, "LeaseLost") || isCoded(error, "RunInterrupted");
}
