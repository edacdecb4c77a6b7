import { defineErrors, isCoded } from "@keelson/base";

/** Errors that end a run but not its operation. A different worker resumes the operation. */
export const workflowErrors = defineErrors({
  /** The lease has expired or was acquired by a different worker. Writes are no longer permitted. */
  LeaseLost: { retry: "never" },
  /** The run was abandoned, or the database rejected a journal entry. */
  RunInterrupted: { retry: "backoff" },
  /** Other writers changed the document at every attempt. */
  DocumentContended: { retry: "backoff" },
});

/** True if the error leaves the operation incomplete. The next worker that acquires the document must resume the operation. */
export function isInterruption(error: unknown): boolean {
  return isCoded(error, "LeaseLost") || isCoded(error, "RunInterrupted");
}
