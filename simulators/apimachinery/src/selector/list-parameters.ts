import { failures } from "../status/status-error.ts";
import { type FieldSelector, parseFieldSelector } from "./field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "./label-selector.ts";

/** Query parameters of a list or watch (meta/v1 ListOptions). The parameters are parsed, but not yet validated for a resource. */
export interface ListParameters {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly limit: number | undefined;
  readonly continueToken: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: string | undefined;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/**
 * Parses the query parameters of a list or watch.
 * @throws StatusError 400 for invalid selectors and numbers
 */
export function parseListParameters(parameter: (name: string) => string | undefined): ListParameters {
  return {
    labels: parseLabelSelector(parameter("labelSelector") ?? ""),
    fields: parseFieldSelector(parameter("fieldSelector") ?? ""),
    limit: integerOf(parameter("limit")),
    continueToken: parameter("continue") || undefined,
    resourceVersion: parameter("resourceVersion") || undefined,
    resourceVersionMatch: parameter("resourceVersionMatch") || undefined,
    sendInitialEvents: booleanOf(parameter("sendInitialEvents")),
    bookmarks: booleanOf(parameter("allowWatchBookmarks")) ?? false,
    timeoutSeconds: integerOf(parameter("timeoutSeconds")),
  };
}

/**
 * Parses a boolean parameter like Kubernetes' API machinery. `0` and `false` are false. All other values are true, including the
 * empty string.
 */
export function booleanOf(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : !["0", "false"].includes(text.toLowerCase());
}

function integerOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw failures.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
