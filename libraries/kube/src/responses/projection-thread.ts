/** Worker thread that projects large responses. */
import { parentPort } from "node:worker_threads";
import { type ProjectionTask, responseOf } from "./projection-task.ts";

parentPort?.on("message", (task: ProjectionTask) => {
  const response = responseOf(task);
  parentPort?.postMessage(response, response.kind === "done" ? [response.projection.bytes.buffer] : []);
});
