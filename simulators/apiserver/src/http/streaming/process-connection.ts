import { StatusError } from "@keelson/apimachinery";
import type { ProcessStreams } from "../../cluster/kubelet.ts";

/** Streams that a client of exec or attach requests. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Exit code of a process, or the error that prevented its start. */
export type Outcome =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly error: unknown };

/** Client connection to the streams of a process. The transport can be SPDY or WebSocket. */
export interface ProcessConnection {
  readonly streams: ProcessStreams;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Sends the remaining output and the outcome, then closes the connection. */
  finish(outcome: Outcome): Promise<void>;
}

/** Returns the final message for protocol version 4 and later: a Status with the exit code. */
export function statusText(outcome: Outcome): string {
  const success = { metadata: {}, status: "Success" };
  if (outcome.kind === "exited" && outcome.exitCode === 0) return JSON.stringify(success);
  if (outcome.kind === "exited") {
    return JSON.stringify({
      metadata: {},
      status: "Failure",
      message: failureText(outcome),
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: String(outcome.exitCode) }] },
    });
  }
  const { error } = outcome;
  const status =
    error instanceof StatusError ? error : new StatusError(500, "InternalError", failureText(outcome));
  return JSON.stringify(status.toStatus());
}

/** Returns the final message for earlier protocol versions. Empty on success. */
export function failureText(outcome: Outcome): string {
  if (outcome.kind === "failed") {
    const { error } = outcome;
    return `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (outcome.exitCode === 0) return "";
  return `command terminated with non-zero exit code: exit status ${outcome.exitCode}`;
}
