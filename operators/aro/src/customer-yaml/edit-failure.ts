import { messageOf } from "@keelson/base";
import { TerminalError } from "@keelson/controller";
import { InvalidYaml } from "./edits/edit-yaml.ts";

/** Error of a controller for a document that could not be edited. Only an invalid document is not retried. */
export function editFailure(subject: string, error: unknown): Error {
  const message = `${subject} ${messageOf(error)}`;
  return error instanceof InvalidYaml ? new TerminalError(message) : new Error(message, { cause: error });
}
