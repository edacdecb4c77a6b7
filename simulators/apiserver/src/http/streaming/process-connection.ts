import { StatusError } from "@keelson/apimachinery";
import type { ProcessStreams } from "../../cluster/kubelet.ts";

/** Which streams a client of exec or attach wants. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** How a process ended, or why there is none. */
export type Outcome =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly error: unknown };

/** A client that holds the streams of a process, over whatever carries them. */
export interface ProcessConnection {
  readonly streams: ProcessStreams;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Sends what is left, then how it ended, and closes. */
  finish(outcome: Outcome): Promise<void>;
}

/** The last message of protocol version 4 and later: a Status, from which clients read the exit code. */
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

/** The last message of the versions before; nothing for success. */
export function failureText(outcome: Outcome): string {
  if (outcome.kind === "failed") {
    const { error } = outcome;
    return `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (outcome.exitCode === 0) return "";
  return `command terminated with non-zero exit code: exit status ${outcome.exitCode}`;
}
