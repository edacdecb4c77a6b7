import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

/**
 * State of a component. `waiting`: a component on which it depends is not ready. `restarting`: its process has exited and will be
 * started again. `down`: its process exited too often and is not restarted.
 */
export type ComponentState =
  | "waiting"
  | "starting"
  | "serving"
  | "restarting"
  | "down"
  | "stopping"
  | "stopped";

/** Status of one component in `components.json`. */
export interface ComponentStatus {
  readonly component: string;
  readonly process?: number;
  /** Time of the last state change, RFC 3339. */
  readonly since: string;
  readonly restarts: number;
  readonly state: ComponentState;
  /** Time of the first ping without a response, RFC 3339. An unresponsive component is not restarted. */
  readonly notRespondingSince?: string;
  /** Reason of the last exit. */
  readonly reason?: string;
  /** Path of its log file. */
  readonly log: string;
}

/**
 * Content of `components.json`: status of the last run in a state directory. If `stopped` is missing, the run is still active or
 * has crashed.
 */
export interface RunStatus {
  readonly process: number;
  readonly started: string;
  readonly stopped?: string | undefined;
  readonly components: readonly ComponentStatus[];
}

export function writeRunStatus(directory: string, status: RunStatus): void {
  writeFileAtomically(statusFile(directory), `${JSON.stringify(status)}\n`, 0o600);
}

/**
 * Returns the status of the last run. Returns undefined if no supervised run ever started in the directory.
 * @throws StateUnreadable
 */
export function readRunStatus(directory: string): RunStatus | undefined {
  const path = statusFile(directory);
  if (!existsSync(path)) return undefined;
  return readStateFile<RunStatus>(
    path,
    ["process", "started", "components"],
    "remove it: the next start writes it again",
  );
}

export type RunState = "running" | "stopped" | "crashed";

/**
 * Returns the state of the run that the file describes. A run is `crashed` if its supervisor exited without a regular stop.
 * `holder` is the process that uses the directory, if any. Returns undefined if `holder` belongs to a different run.
 */
export function runStateOf(
  { process, stopped }: RunStatus,
  holder: number | undefined,
): RunState | undefined {
  if (holder === undefined) return stopped === undefined ? "crashed" : "stopped";
  return holder === process ? "running" : undefined;
}

/** Describes the state of a component and, if known, the reason of its last exit. The description is for users. */
export function describeState({ state, notRespondingSince, reason }: ComponentStatus): string {
  if (notRespondingSince !== undefined) return `not responding since ${notRespondingSince}`;
  return reason === undefined ? state : `${state} (${reason})`;
}

function statusFile(directory: string): string {
  return join(directory, "components.json");
}
