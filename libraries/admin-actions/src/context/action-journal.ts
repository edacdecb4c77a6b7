import type { JsonObject, JsonValue } from "@keelson/base";

/** Progress of a running action, for its followers and for a process that resumes it. */
export interface ActionJournal {
  /** Reports progress in one line without secrets. */
  report(line: string): void;
  /**
   * Runs `task` once per action and stores its result, also for a process that resumes the action. Failures
   * are not stored.
   */
  step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T>;
  /** Results of the finished steps in order. */
  readonly steps: JsonObject;
}

/** Journal for actions without followers and without resumption. */
export const noJournal: ActionJournal = { report: () => {}, step: (_, task) => task(), steps: {} };
