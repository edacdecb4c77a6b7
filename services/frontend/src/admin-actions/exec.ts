import { checkExecCommand, execInContainer } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import type { AdminAction } from "../admin-action.ts";
import { requiredJson } from "./required-json.ts";
import { streamLimitMs } from "./stream-limit.ts";

type Command = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: string;
};

/** Runs a shell command in a container of the platform. */
export const exec: AdminAction<Command> = {
  method: "POST",
  suffix: "exec",
  mutating: true,
  long: { limitMs: streamLimitMs },
  read(exchange) {
    const body = requiredJson(exchange);
    if (!isPlainObject(body)) throw unparsed();
    const text = (name: string) => {
      const value = body[name] ?? "";
      if (typeof value !== "string") throw unparsed();
      return value;
    };
    const command = {
      namespace: text("namespace"),
      pod: text("podName"),
      container: text("container"),
      command: text("command"),
    };
    checkExecCommand(command);
    return command;
  },
  // A command may hold a password.
  recorded: ({ namespace, pod, container }) => ({ namespace, pod, container }),
  handle: async (context, command) => ({ status: 200, text: execInContainer(context, command) }),
};

function unparsed(): CloudError {
  return new CloudError("InvalidRequestContent", "Failed to parse request body.");
}
