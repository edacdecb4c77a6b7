/** Worker thread for long tasks, which would block the event loop of the main thread. */
import { parentPort } from "node:worker_threads";
import { PatchError, StatusError } from "@keelson/apimachinery";
import { messageOf, WorkBudget, WorkBudgetExceeded } from "@keelson/base";
import { transferable } from "../threads/message.ts";
import type { ThreadReply, ThreadRequest } from "../threads/thread-task.ts";
import { runTask } from "./tasks.ts";

parentPort?.on("message", ({ name, input, limits }: ThreadRequest) => {
  const budget = new WorkBudget(limits);
  const response = (): ThreadReply => {
    try {
      const output = runTask(name, input, budget);
      return { kind: "done", output, spent: budget.spent };
    } catch (error) {
      const { spent } = budget;
      if (error instanceof WorkBudgetExceeded) {
        // The reported cost is zero, because the pool rejects the request anyway if the task exceeded a limit.
        return { kind: "exceeded", limit: error.limit, spent: { nodes: 0, bytes: 0 } };
      }
      if (error instanceof StatusError) {
        const { code, reason, message } = error;
        return { kind: "refused", code, reason, message, spent };
      }
      if (error instanceof PatchError) {
        return { kind: "unpatched", status: error.status, message: error.message, spent };
      }
      return { kind: "failed", message: messageOf(error), spent };
    }
  };
  const reply = response();
  parentPort?.postMessage(reply, reply.kind === "done" ? transferable(reply.output) : []);
});
