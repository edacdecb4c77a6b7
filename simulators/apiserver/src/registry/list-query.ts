import {
  type FieldSelector,
  failures,
  fieldError,
  type LabelSelector,
  type ListParameters,
  type StatusCause,
  StatusError,
} from "@keelson/apimachinery";
import type { ServedResource } from "../resources/served-resource.ts";
import { requireSelectable } from "./selectable-fields.ts";

/** Validated parameters of a list or watch (meta/v1 ListOptions). */
export interface ListQuery {
  readonly namespace: string | undefined;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  /** 0: unlimited. */
  readonly limit: number;
  readonly continueToken: string | undefined;
  /** Requested revision. 0 means any revision. Undefined if the client sent no revision. */
  readonly revision: number | undefined;
  readonly match: "Exact" | "NotOlderThan" | undefined;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** Validates list parameters for one resource. @throws StatusError 400, 422 */
export function listQuery(
  { type, custom }: ServedResource,
  namespace: string | undefined,
  parameters: ListParameters,
  watch: boolean,
): ListQuery {
  const { labels, fields, resourceVersion, resourceVersionMatch: match, continueToken } = parameters;
  const { limit = 0, sendInitialEvents, bookmarks, timeoutSeconds } = parameters;
  const causes = watch
    ? watchCauses(match, continueToken, sendInitialEvents)
    : listCauses(resourceVersion, match, continueToken, sendInitialEvents);
  if (causes.length > 0) throw failures.invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", causes);
  if (continueToken && resourceVersion && resourceVersion !== "0") {
    throw failures.badRequest("specifying resource version is not allowed when using continue");
  }
  const selector = requireSelectable(fields, type, custom?.selectableFields);
  return {
    namespace,
    labels,
    fields: selector,
    limit: Math.max(0, limit),
    continueToken,
    revision: resourceVersion === undefined ? undefined : requestedRevision(resourceVersion, watch),
    match: match === "Exact" || match === "NotOlderThan" ? match : undefined,
    sendInitialEvents,
    bookmarks,
    timeoutSeconds,
  };
}

/**
 * Parses a `resourceVersion` to a revision number.
 * @throws StatusError 400
 */
export function revisionOf(text: string): number {
  const revision = parseRevision(text);
  if (revision === undefined) throw failures.badRequest(malformedRevision(text));
  return revision;
}

/**
 * Parses the `resourceVersion` of a list or watch.
 * @throws StatusError 400 for a list, 500 without a reason for a watch
 */
function requestedRevision(text: string, watch: boolean): number {
  const revision = parseRevision(text);
  if (revision !== undefined) return revision;
  if (watch) throw new StatusError(500, "", malformedRevision(text));
  throw failures.badRequest(`invalid resource version: ${malformedRevision(text)}`);
}

function parseRevision(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function malformedRevision(text: string): string {
  const shown = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`;
}

function listCauses(
  resourceVersion: string | undefined,
  match: string | undefined,
  continueToken: string | undefined,
  sendInitialEvents: boolean | undefined,
): readonly StatusCause[] {
  const field = "resourceVersionMatch";
  const causes: StatusCause[] = [];
  if (match !== undefined) {
    if (!resourceVersion)
      causes.push(
        fieldError.forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"),
      );
    if (continueToken)
      causes.push(fieldError.forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan")
      causes.push(fieldError.notSupported(field, match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && resourceVersion === "0") {
      causes.push(
        fieldError.forbidden(field, `resourceVersionMatch "exact" is forbidden for resourceVersion "0"`),
      );
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(fieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

function watchCauses(
  match: string | undefined,
  continueToken: string | undefined,
  sendInitialEvents: boolean | undefined,
): readonly StatusCause[] {
  const field = "resourceVersionMatch";
  const causes: StatusCause[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    const why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    causes.push(fieldError.forbidden(field, why));
  }
  if (match === undefined) return causes;
  if (sendInitialEvents === undefined) {
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    causes.push(fieldError.forbidden(field, why));
  }
  if (match !== "NotOlderThan") causes.push(fieldError.notSupported(field, match, ["NotOlderThan"]));
  if (continueToken)
    causes.push(fieldError.forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  return causes;
}
