import { defineErrors, isCoded } from "@keelson/base";

/** Errors that end a run without ending its operation. A second worker resumes it. */
export const workflowErrors = defineErrors({
  /** The lease has expired or was taken over. Writes are no longer allowed. */
  LeaseLost: { retry: "never" },
  /** The run was abandoned, or the database did not accept a journal entry. */
  RunInterrupted: { retry: "backoff" },
  /** Other writers changed the document in every attempt. */
  DocumentContended: { retry: "backoff" },
});

/** True when the operation is still to be done, by the next worker that acquires it. */
export function isInterruption(error: unknown): boolean {
  return isCoded(error, "LeaseLost") || isCoded(error, "RunInterrupted");
}
