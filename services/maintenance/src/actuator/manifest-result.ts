import { CloudError, flattenCloudError } from "@keelson/arm";
import { messageOf } from "@keelson/base";
import type { MaintenanceManifest } from "@keelson/model";

/** Result of one attempt of a task. */
export type TaskOutcome =
  | { readonly kind: "completed" }
  /** `transient` is true if a retry may succeed. */
  | { readonly kind: "failed"; readonly error: unknown; readonly transient: boolean };

export const maxAttempts = 5;

type Result = Pick<MaintenanceManifest, "state" | "statusText">;

/** Returns the manifest's state after attempt number `attempt`, counted from 1. */
export function resultOf(outcome: TaskOutcome, attempt: number): Result {
  if (outcome.kind === "completed") return { state: "Completed", statusText: "" };
  const text = `${outcome.transient ? "TransientError" : "TerminalError"}: ${textOf(outcome.error)}`;
  if (attempt >= maxAttempts) {
    return {
      state: "RetriesExceeded",
      statusText: `did not succeed after ${attempt} times, failing -- ${text}`,
    };
  }
  return { state: outcome.transient ? "Pending" : "Failed", statusText: text };
}

function textOf(error: unknown): string {
  return error instanceof CloudError ? flattenCloudError(error) : messageOf(error);
}
