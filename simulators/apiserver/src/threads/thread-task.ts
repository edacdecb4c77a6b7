import type { PatchError } from "@keelson/apimachinery";
import type { WorkBudget, WorkLimit, WorkLimits } from "@keelson/base";
import type { Message } from "./message.ts";

/**
 * Function that can run in a worker thread. Its input and output are JSON, strings or bytes. `tasks/tasks.ts` lists all tasks.
 */
export interface ThreadTask<Input, Output> {
  /** Unique name of the task. */
  readonly name: string;
  readonly run: (input: Input, budget: WorkBudget) => Output;
}

export interface ThreadRequest {
  readonly name: string;
  readonly input: Message;
  readonly limits: WorkLimits;
}

interface Spent {
  readonly spent: { readonly nodes: number; readonly bytes: number };
}

export type ThreadReply = Spent &
  (
    | { readonly kind: "done"; readonly output: Message }
    | { readonly kind: "refused"; readonly code: number; readonly reason: string; readonly message: string }
    | { readonly kind: "unpatched"; readonly status: PatchError["status"]; readonly message: string }
    | { readonly kind: "exceeded"; readonly limit: WorkLimit }
    | { readonly kind: "failed"; readonly message: string }
  );
