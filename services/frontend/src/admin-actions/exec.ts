import { checkExecCommand, execInContainer } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { isPlainObject, redactText } from "@keelson/base";
import { requiredJson, streamLimitMs } from "./parameters.ts";
import type { AdminAction } from "./running/admin-action.ts";

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
  read(request) {
    const body = requiredJson(request);
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
  recorded: ({ command, ...where }) => ({ ...where, command: redactText(command) }),
  handle: async (context, command) => ({ status: 200, text: execInContainer(context, command) }),
};

function unparsed(): CloudError {
  return new CloudError("InvalidRequestContent", "Failed to parse request body.");
}
