import { messageOf } from "@keelson/base";
import { TerminalError } from "@keelson/controller";
import { InvalidYaml } from "./edits/edit-yaml.ts";

/**
 * Returns the controller's error for a failed edit. The error is terminal only for an invalid document. After any other failure,
 * the edit is retried.
 */
export function editFailure(subject: string, error: unknown): Error {
  const message = `${subject} ${messageOf(error)}`;
  return error instanceof InvalidYaml ? new TerminalError(message) : new Error(message, { cause: error });
}
