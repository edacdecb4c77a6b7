import { messageOf } from "@keelson/base";
import type { Step } from "./graph.ts";

/** Error of a step that exceeded its time limit. The cause is the error of the last attempt, if the last attempt failed. */
export class StepTimeoutError extends Error {
  readonly step: string;
  readonly timeoutMs: number;
  /** Value of `timeoutMessage` in the condition. If it is set, it is also the error message. */
  readonly timeoutMessage: string | undefined;

  constructor(step: Step<never>, cause?: unknown) {
    const timeoutMessage = step.kind === "condition" ? step.timeoutMessage : undefined;
    const after = cause === undefined ? "" : `: ${messageOf(cause)}`;
    const message = `${step.name} was not done within ${step.timeoutMs} ms${after}`;
    super(timeoutMessage ?? message, cause === undefined ? {} : { cause });
    this.step = step.name;
    this.timeoutMs = step.timeoutMs;
    this.timeoutMessage = timeoutMessage;
  }
}
