import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

/**
 * `waiting`: for the components before it. `restarting`: after an exit. `down`: exited too often; it stays down.
 */
export type ComponentState =
  | "waiting"
  | "starting"
  | "serving"
  | "restarting"
  | "down"
  | "stopping"
  | "stopped";

/** Status of one component: an entry of `components.json`. */
export interface ComponentStatus {
  readonly component: string;
  readonly process?: number;
  /** Time of the last change of `state`, RFC 3339. */
  readonly since: string;
  readonly restarts: number;
  readonly state: ComponentState;
  /** Time of the last message that it did not respond to, RFC 3339. It is not restarted for that. */
  readonly notRespondingSince?: string;
  /** Reason of the last exit. */
  readonly reason?: string;
  /** Path of its log file. */
  readonly log: string;
}

/** `components.json`: status of the last run in a state directory. Without `stopped` the run exists, or ended by a crash. */
export interface RunStatus {
  readonly process: number;
  readonly started: string;
  readonly stopped?: string;
  readonly components: readonly ComponentStatus[];
}

export function writeRunStatus(directory: string, status: RunStatus): void {
  writeFileAtomically(statusFile(directory), `${JSON.stringify(status)}\n`, 0o600);
}

/** Returns undefined if no supervised run ever started in the directory. @throws StateUnreadable */
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
 * State of a run: `crashed` if it exited without a stop. `holder`: the process that uses the directory. Returns undefined if that is
 * not the process of the run.
 */
export function runStateOf(
  { process, stopped }: RunStatus,
  holder: number | undefined,
): RunState | undefined {
  if (holder === undefined) return stopped === undefined ? "crashed" : "stopped";
  return holder === process ? "running" : undefined;
}

/** State of a component in words, with the reason of its last exit. */
export function describeState({ state, notRespondingSince, reason }: ComponentStatus): string {
  if (notRespondingSince !== undefined) return `not responding since ${notRespondingSince}`;
  return reason === undefined ? state : `${state} (${reason})`;
}

function statusFile(directory: string): string {
  return join(directory, "components.json");
}
