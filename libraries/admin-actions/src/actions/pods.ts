import { CloudError } from "@keelson/arm";
import { isPlainObject, type JsonValue, listAt, redactText } from "@keelson/base";
import { checkContainer } from "../context/object-rules.ts";
import { checkExecCommand, execInContainer } from "../kubernetes/exec.ts";
import { runnableJob } from "../kubernetes/job-manifest.ts";
import { podLogs } from "../kubernetes/pod-logs.ts";
import { runJob as run } from "../kubernetes/run-job.ts";
import { type ActionParameter, required, requiredJson, text } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";
import { identityOf } from "./kubernetes-objects.ts";
import { streamLimitMs } from "./time-limits.ts";

export const kubernetesPodLogs = declareAction({
  method: "GET",
  suffix: "kubernetespodlogs",
  role: "reader",
  summary: "read logs of the platform's pods",
  remarks: "the log as text, at most 50 MiB",
  long: { limitMs: 10 * 60_000 },
  parameters: {
    namespace: required(text("namespace")),
    pod: required(text("podname")),
    container: required(text("container")),
  },
  check: checkContainer,
  handle: async (context, place) => ({ text: podLogs(context, place) }),
});

const commandFields = ["namespace", "podName", "container", "command"] as const;
type Command = Readonly<Record<"namespace" | "pod" | "container" | "command", string>>;

const command: ActionParameter<Command> = {
  name: commandFields.map((each) => `\`${each}\``).join(", "),
  in: "body",
  type: "object",
  fields: commandFields,
  read(input) {
    const body = requiredJson(input);
    if (!isPlainObject(body)) throw unparsed();
    const string = (name: (typeof commandFields)[number]) => {
      const value = body[name] ?? "";
      if (typeof value !== "string") throw unparsed();
      return value;
    };
    const value = {
      namespace: string("namespace"),
      pod: string("podName"),
      container: string("container"),
      command: string("command"),
    };
    checkExecCommand(value);
    return value;
  },
};

function unparsed(): CloudError {
  return new CloudError("InvalidRequestContent", "Failed to parse request body.");
}

export const exec = declareAction({
  method: "POST",
  suffix: "exec",
  role: "elevated",
  summary: "run a command in a container",
  destructive: true,
  remarks: "runs `command` with `sh -c`. Returns its output as text, then `Done.` or `Command failed: ...`",
  long: { limitMs: streamLimitMs },
  parameters: { command },
  // The recorded command is redacted, because it may contain a password.
  recorded: (parameters) => ({
    ...parameters.command,
    command: redactText(parameters.command.command),
  }),
  handle: async (context, parameters) => ({
    text: execInContainer(context, parameters.command),
  }),
});

const job: ActionParameter = {
  name: "a Job",
  in: "body",
  type: "object",
  read(input) {
    const value = requiredJson(input);
    runnableJob(value);
    return value;
  },
};

export const runJob = declareAction({
  method: "POST",
  suffix: "runjob",
  role: "elevated",
  summary: "run a job",
  destructive: true,
  remarks: "runs the Job. Returns its log and its result as text. The Job is always deleted",
  long: { limitMs: streamLimitMs },
  parameters: { job },
  recorded: (parameters) => ({ ...identityOf(parameters.job), commands: commandsOf(parameters.job) }),
  handle: async (context, parameters) => ({ text: run(context, parameters.job) }),
});

/** Returns the redacted command lines of a Job, because arguments may contain passwords. */
function commandsOf(value: JsonValue): readonly string[] {
  return listAt(value, "spec", "template", "spec", "containers").map((each) =>
    redactText([...listAt(each, "command"), ...listAt(each, "args")].map(String).join(" ")),
  );
}
