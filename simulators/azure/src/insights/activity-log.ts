import type { JsonObject } from "@keelson/base";
import { groupIdOf, parseProviderPath } from "../arm/arm-path.ts";
import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import { filterTerms } from "../arm/filter.ts";
import { page } from "../arm/paging.ts";
import type { Subscription } from "../arm/subscription.ts";
import { wantedAction } from "../authorization/wanted-action.ts";
import type { Store, Table } from "../store/store.ts";
import type { Activity } from "./activity.ts";
import { activityOf } from "./service-events.ts";

export interface ActivityOutcome {
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Maximum number of entries. In Azure, the limit is an age of 90 days instead. */
const kept = 2_000;

/** Maximum message length in characters. Error messages may quote the rejected input. */
const maxMessage = 4_000;

const first = 1e15;

/**
 * Activity log of the writes to the subscription's resources. Each entry contains the caller and the result. Only the newest
 * entries are retained.
 */
export class ActivityLog {
  readonly #table: Table<Activity>;
  /** Key of the newest entry. Each new key is lower than the previous key, so that the newest entry comes first. */
  #newest: number;

  constructor(store: Store) {
    this.#table = store.table("activity");
    const keys = [...this.#table.values()].map(({ id }) => Number(id));
    this.#newest = Math.min(first, ...keys);
  }

  /** Adds an entry. Must run in a transaction. */
  add(activity: Omit<Activity, "id">): void {
    this.#newest -= 1;
    const id = String(this.#newest);
    this.#table.set(id, { ...activity, id });
    this.#table.delete(String(this.#newest + kept));
  }

  all(): readonly Activity[] {
    return [...this.#table.values()];
  }
}

/** Records the result of a request in the activity log, unless the request is a read. `error` is set if the request failed. */
export function recordActivity(
  subscription: Subscription & { readonly activities: ActivityLog },
  { method, segments, principal }: ArmRequest,
  correlationId: string,
  { status, error }: ActivityOutcome,
): void {
  const wanted = method === "GET" || method === "HEAD" ? undefined : wantedAction({ method, segments });
  if (!wanted) return;
  const { action, scope } = wanted;
  const caller = principal.userPrincipalName ?? principal.clientId;
  subscription.store.transaction(() =>
    subscription.activities.add({
      at: subscription.clock.now().toISOString(),
      action,
      scope,
      method,
      caller,
      correlationId,
      statusCode: status,
      ...(error ? { code: error.code, message: error.message.slice(0, maxMessage) } : {}),
    }),
  );
}

/** Handles `GET .../providers/Microsoft.Insights/eventtypes/management/values`. Newest entries come first. */
export function listActivities(
  activities: ActivityLog,
  subscription: Subscription,
  request: ArmRequest,
): ArmResponse {
  const filter = request.query.get("$filter");
  const terms = filterTerms(filter);
  const [from, to] = [timeIn(filter, "ge"), timeIn(filter, "le")];
  const members = request.query
    .get("$select")
    ?.split(",")
    .map((each) => each.trim().toLowerCase());
  const same = (term: string, value: string | undefined) => {
    const wanted = terms.get(term)?.toLowerCase();
    return wanted === undefined || wanted === value?.toLowerCase();
  };
  const reported = (request.foreign ?? []).map((event) => activityOf(event, subscription.clock.now()));
  const rows = [...activities.all(), ...reported].filter(({ at, action, scope, caller, correlationId }) => {
    const time = Date.parse(at);
    return (
      time >= from &&
      time <= to &&
      same("resourcegroupname", groupIdOf(scope)?.split("/").at(-1)) &&
      same("resourceuri", scope) &&
      same("resourceid", scope) &&
      same("resourceprovider", action.split("/")[0]) &&
      same("correlationid", correlationId) &&
      same("caller", caller)
    );
  });
  return page(
    request,
    rows,
    newestFirst,
    (row) => selected(render(subscription, row), members),
    Math.min(subscription.pageSize, 200),
  );
}

/** Returns a sort key that orders entries by time, newest first, and then by ID. */
function newestFirst({ at, id }: Activity): string {
  return `${String(first - Date.parse(at)).padStart(16, "0")}-${id}`;
}

function render(subscription: Subscription, activity: Activity): JsonObject {
  const { id, at, action, scope, method, caller, correlationId, statusCode, code, message, properties } =
    activity;
  const { subscriptionId, tenantId } = subscription;
  const status = statusCode >= 400 ? "Failed" : statusCode === 202 ? "Accepted" : "Succeeded";
  const namespace = action.split("/")[0] ?? "";
  const path = parseProviderPath(scope.split("/").filter((each) => each !== ""));
  const named = (value: string) => ({ value, localizedValue: value });
  return {
    id: `${scope}/events/${id}/ticks/${Date.parse(at)}`,
    eventDataId: id,
    authorization: { action, scope },
    caller,
    channels: "Operation",
    category: named("Administrative"),
    correlationId,
    operationId: correlationId,
    description: "",
    eventName: named("EndRequest"),
    eventTimestamp: at,
    submissionTimestamp: at,
    httpRequest: { clientRequestId: correlationId, method },
    level: statusCode >= 400 ? "Error" : "Informational",
    operationName: named(action),
    properties: {
      statusCode: String(statusCode),
      ...properties,
      ...(code === undefined
        ? {}
        : { statusMessage: JSON.stringify({ error: { code, message: message ?? "" } }) }),
    },
    resourceGroupName: groupIdOf(scope)?.split("/").at(-1) ?? "",
    resourceId: scope,
    resourceUri: scope,
    resourceProviderName: named(namespace),
    resourceType: named(path ? `${path.namespace}/${path.types.join("/")}` : action.replace(/\/\w+$/, "")),
    status: named(status),
    subStatus: named(String(statusCode)),
    subscriptionId,
    tenantId,
  };
}

function selected(event: JsonObject, members: readonly string[] | undefined): JsonObject {
  if (!members) return event;
  return Object.fromEntries(Object.entries(event).filter(([name]) => members.includes(name.toLowerCase())));
}

/** Returns the time with which a filter compares `eventTimestamp`. Example: `eventTimestamp ge '2026-01-01T00:00:00Z'`. */
function timeIn(filter: string | null, operator: "ge" | "le"): number {
  const text = new RegExp(`eventTimestamp\\s+${operator}\\s+'([^']+)'`, "i").exec(filter ?? "")?.[1];
  const time = Date.parse(text ?? "");
  if (!Number.isNaN(time)) return time;
  return operator === "ge" ? 0 : Number.POSITIVE_INFINITY;
}
