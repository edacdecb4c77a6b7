import type { JsonObject, JsonValue } from "@keelson/base";

/** Progress of a running action. Callers follow it, and a process that resumes the action reads it. */
export interface ActionJournal {
  /** Reports progress in one line. The line must not contain secrets. */
  report(line: string): void;
  /**
   * Runs `task` once per action and stores its result under `name`. If a second process resumes the action, the stored result is
   * returned and `task` does not run again. Failures are not stored.
   */
  step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T>;
  /** Results of the finished steps in order. */
  readonly steps: JsonObject;
}

/** Journal that stores nothing, for actions that report no progress and cannot be resumed. */
export const noJournal: ActionJournal = { report: () => {}, step: (_, task) => task(), steps: {} };
