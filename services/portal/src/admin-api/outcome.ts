import { isPlainObject, objectAt, stringAt, tryParseJson } from "@keelson/base";
import type { ActionOutcome } from "@keelson/portal-api";
import { portalErrors } from "../errors/portal-errors.ts";
import type { AdminResponse } from "./admin-api.ts";
import { indentedJson } from "./indented-json.ts";

const maxLines = 10_000;
const maxLength = 5 * 2 ** 20;

/**
 * Converts an admin API response to a result. JSON is parsed and serialized again. The browser receives the response only as a
 * string inside the portal's own JSON.
 * @throws ClusterResponseInvalid, ClusterResponseTooLarge
 */
export function outcomeOf({ status, mediaType, bytes, isTruncated }: AdminResponse): ActionOutcome {
  const text = bytes.toString("utf8");
  const isJson = mediaType === "application/json";
  if (isJson && isTruncated)
    throw portalErrors.ClusterResponseTooLarge("The response of the admin API is longer than 5 MiB.");
  const value = isJson && text.trim() !== "" ? parsed(text) : undefined;
  if (status >= 400) {
    const error = errorIn(value) ?? withoutMessage(status);
    return { state: "Failed", content: detailsIn(value), truncated: false, error };
  }
  return { state: "Succeeded", ...(value === undefined ? shown(text, isTruncated) : shownJson(value)) };
}

/**
 * Returns the result of a detached action from the response to `GET actions/{id}`. If the admin API is busy or fails, the action
 * is reported as running. A later read returns its real state.
 * @throws ClusterResponseInvalid
 */
export function outcomeOfAction(response: AdminResponse): ActionOutcome {
  const { status } = response;
  if (status === 429 || status >= 500) return unknownProgress(errorOf(response));
  if (status !== 200) return { ...outcomeOf(response), state: "Unknown" };
  const value = parsed(response.bytes.toString("utf8"));
  const { state, progress, result, error } = objectAt(value);
  const lines = Array.isArray(progress) ? progress.map(String) : [];
  const { content, truncated } = result === undefined ? shown("", false) : shownJson(result);
  const problem = errorIn({ error });
  return {
    state: states.find((each) => each === state) ?? "Unknown",
    ...shown([...lines, ...(content === "" ? [] : [content])].join("\n"), truncated),
    ...(problem ? { error: problem } : {}),
  };
}

/** Returns the outcome that the portal shows for a running action when the action's state cannot be read. */
export function unknownProgress(error: NonNullable<ActionOutcome["error"]>): ActionOutcome {
  return { state: "Running", content: "", truncated: false, error };
}

const states = ["Running", "Succeeded", "Failed", "Interrupted"] as const;

/** Truncates a text to the number of lines that a page can display. */
function shown(
  text: string,
  isTruncated: boolean,
): { readonly content: string; readonly truncated: boolean } {
  let end = -1;
  for (let line = 0; line < maxLines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return { content: text, truncated: isTruncated };
  }
  return { content: text.slice(0, end), truncated: isTruncated || end < text.length - 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw portalErrors.ClusterResponseInvalid("The response of the admin API is not JSON.", { cause });
  }
}

function shownJson(value: unknown): { readonly content: string; readonly truncated: boolean } {
  if (typeof value === "string") return shown(value, false);
  const { text, isCut } = indentedJson(value, maxLines, maxLength);
  return { content: text, truncated: isCut };
}

function errorIn(value: unknown): { readonly code: string; readonly message: string } | undefined {
  const [code, message] = [stringAt(value, "error", "code"), stringAt(value, "error", "message")];
  return code === undefined || message === undefined ? undefined : { code, message };
}

function withoutMessage(status: number): { readonly code: string; readonly message: string } {
  return { code: `${status}`, message: `The admin API responded with ${status}.` };
}

function errorOf({ status, bytes }: AdminResponse): { readonly code: string; readonly message: string } {
  return errorIn(tryParseJson(bytes.toString("utf8"))) ?? withoutMessage(status);
}

function detailsIn(value: unknown): string {
  const details = isPlainObject(value) && isPlainObject(value.error) ? value.error.details : undefined;
  return details === undefined ? "" : shownJson(details).content;
}
