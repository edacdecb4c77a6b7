import { atOnce } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { policyTask } from "../admission/policy-task.ts";
import { kindTask } from "../registry/kind-task.ts";
import { protobufTask } from "../threads/decode-protobuf-task.ts";
import { type Message, messageFor, readMessage } from "../threads/message.ts";
import { patchTask } from "../threads/patch-task.ts";
import { printYamlTask } from "../threads/print-yaml-task.ts";
import { decodeYamlTask } from "../threads/read-yaml.ts";
import type { ThreadTask } from "../threads/thread-task.ts";
import { customTask } from "../threads/validate-custom-task.ts";

/** All tasks that worker threads can run. */
const tasks: readonly ThreadTask<never, unknown>[] = [
  decodeYamlTask,
  protobufTask,
  patchTask,
  printYamlTask,
  customTask,
  kindTask,
  policyTask,
];

const byName = new Map(tasks.map((task) => [task.name, task]));

/** Runs a task in the current thread. The input type must match the task. */
export function runTask(name: string, input: Message, budget: WorkBudget): Message {
  const task = byName.get(name);
  if (!task) throw new Error(`unknown task ${name}`);
  const read: never = readMessage(input) as never;
  return atOnce(messageFor(task.run(read, budget)));
}
