/** Worker thread that projects large responses. */
import process from "node:process";
import { parentPort } from "node:worker_threads";
import { type ProjectionTask, responseOf, type ThreadReply } from "./projection-task.ts";

parentPort?.on("message", (task: ProjectionTask) => {
  const response = responseOf(task);
  const { user, system } = process.threadCpuUsage();
  const reply: ThreadReply = { response, usedMs: (user + system) / 1_000 };
  parentPort?.postMessage(reply, response.kind === "done" ? [response.projection.bytes.buffer] : []);
});
