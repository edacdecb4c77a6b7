import type { JsonObject, JsonValue } from "@keelson/base";

/** What remains of an action while it runs, for those who follow it and for a process that goes on with it. */
export interface ActionJournal {
  /** Says how far the action is, in one line without secrets. */
  report(line: string): void;
  /**
   * Runs `task` once for the action: what it came to is kept, also for another process that takes over.
   * A task that fails is not kept.
   */
  step<T extends JsonValue>(name: string, task: () => Promise<T>): Promise<T>;
  /** What the finished steps came to, in their order. */
  readonly steps: JsonObject;
}

/** For actions that nobody follows and nobody takes over. */
export const noJournal: ActionJournal = { report: () => {}, step: (_, task) => task(), steps: {} };
