import { messageOf } from "@keelson/base";
import type { Step } from "./graph.ts";

/** A step that was not done within its time limit. The cause is what its last attempt failed with, if it did. */
export class StepTimeoutError extends Error {
  readonly step: string;
  readonly timeoutMs: number;
  /** The condition's own `timeoutMessage`; then it is the message as well. */
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
