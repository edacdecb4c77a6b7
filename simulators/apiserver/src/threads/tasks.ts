import { parseExactJson, type WorkBudget, type WorkLimit, type WorkLimits } from "@keelson/base";
import type { PolicyOutcome } from "../admission/evaluate-policy.ts";
import { evaluatePolicyTask, type PolicyInput } from "../admission/policy-task.ts";
import { type CustomInput, type CustomOutput, validateCustomTask } from "../custom/validate-task.ts";
import { yamlText } from "../http/yaml-text.ts";
import type { PatchError } from "../patch/index.ts";
import { applyPatchTask, type PatchInput } from "../patch/patch-task.ts";
import { decodeProtobuf } from "../protobuf/decode-body.ts";
import { type KindInput, validateKindTask } from "../registry/kind-task.ts";
import type { StatusCause } from "../status/status-error.ts";
import { type DecodedBody, decodeYaml } from "../yaml/decode-yaml.ts";
import { type Message, messageFor, readMessage } from "./message.ts";
import { atOnce } from "./phases.ts";

/** What threads can do: functions of JSON, a text or bytes that give one of these, and of a budget. */
interface Tasks {
  readonly decodeYaml: Task<string, DecodedBody>;
  readonly decodeProtobuf: Task<Uint8Array, Readonly<Record<string, unknown>>>;
  readonly applyPatch: Task<PatchInput, Record<string, unknown>>;
  /** JSON as YAML. */
  readonly printYaml: Task<Uint8Array, Uint8Array>;
  readonly validateCustom: Task<CustomInput, CustomOutput>;
  readonly validateKind: Task<KindInput, readonly StatusCause[]>;
  readonly evaluatePolicy: Task<PolicyInput, PolicyOutcome>;
}

interface Task<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

export type TaskName = keyof Tasks;
export type TaskOf<Name extends TaskName> = Tasks[Name];

export interface ThreadRequest {
  readonly name: TaskName;
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

const run: {
  readonly [Name in TaskName]: (input: Tasks[Name]["input"], budget: WorkBudget) => Tasks[Name]["output"];
} = {
  printYaml: (json, budget) => {
    budget.spend(1, json.length);
    return yamlText(parseExactJson(Buffer.from(json).toString()));
  },
  decodeYaml: (text, budget) => decodeYaml(text, budget),
  decodeProtobuf: (bytes, budget) => decodeProtobuf(Buffer.from(bytes), budget),
  applyPatch: applyPatchTask,
  validateCustom: validateCustomTask,
  validateKind: (input, budget) => {
    budget.spend(1);
    return validateKindTask(input);
  },
  evaluatePolicy: evaluatePolicyTask,
};

/** Runs a task here. The input has the type that goes with the name. */
export function runTask(name: TaskName, input: Message, budget: WorkBudget): Message {
  const task: (input: never, budget: WorkBudget) => unknown = run[name];
  const read: never = readMessage(input) as never;
  return atOnce(messageFor(task(read, budget)));
}
