/** Worker thread that projects large responses. */
import { parentPort } from "node:worker_threads";
import { answerOf, type ProjectionTask } from "./projection-task.ts";

parentPort?.on("message", (task: ProjectionTask) => {
  const answer = answerOf(task);
  parentPort?.postMessage(answer, answer.kind === "done" ? [answer.projection.bytes.buffer] : []);
});
