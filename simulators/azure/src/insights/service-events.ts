import type { JsonObject } from "@keelson/base";
import type { ArmRequest } from "../arm/exchange.ts";
import { filterTerms } from "../arm/filter.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { isClusterId } from "../resource-provider/cluster-id.ts";
import type { ProviderFront } from "../resource-provider/provider-front.ts";
import type { Activity } from "./activity.ts";

const apiVersion = "api-version=2025-07-25";
/** Maximum number of clusters for which one response contains events. */
const maxClusters = 50;

/** True for a request for the activity log: `GET .../providers/Microsoft.Insights/eventtypes/management/values`. */
export function isActivityLog({ method, segments }: ArmRequest): boolean {
  return (
    method === "GET" &&
    /\/Microsoft\.Insights\/eventtypes\/management\/values$/i.test(`/${segments.join("/")}`)
  );
}

/**
 * Returns maintenance events and administrative actions of the clusters that the filter selects. In Azure, the resource provider
 * pushes these events to the activity log. Here, they are requested from the resource provider when a client reads the activity
 * log.
 */
export async function serviceEvents(
  provider: ProviderFront,
  request: ArmRequest,
): Promise<readonly JsonObject[]> {
  const terms = filterTerms(request.query.get("$filter"));
  const resource = terms.get("resourceuri") ?? terms.get("resourceid");
  if (resource !== undefined && !isClusterId(resource)) return [];
  const ids =
    resource === undefined
      ? (await provider.clusters(terms.get("resourcegroupname"))).flatMap(
          (each) => nonEmptyStringAt(each, "id") ?? [],
        )
      : [resource];
  const events = await Promise.all(
    ids.slice(0, maxClusters).map(async (id) => {
      const { body } = await provider.ask("GET", `${id}/serviceEvents?${apiVersion}`, request.principal);
      return objectsAt(body, "value").map((each) => ({ ...each, scope: id }));
    }),
  );
  return events.flat();
}

const statusCodes: Readonly<Record<string, number>> = { Failed: 500, Succeeded: 200 };

/**
 * Converts an event to an activity log entry. The entry has the end time of the event or, while the event is running, its start
 * time. For future maintenance, the entry has the current time.
 */
export function activityOf(event: JsonObject, now: Date): Activity {
  const text = (name: string) => nonEmptyStringAt(event, name) ?? "";
  const type = text("eventType");
  return {
    id: text("id"),
    at:
      text("status") === "Scheduled"
        ? now.toISOString()
        : (nonEmptyStringAt(event, "endTime") ?? text("startTime")),
    action: `Microsoft.RedHatOpenShift/openShiftClusters/${type.charAt(0).toLowerCase()}${type.slice(1)}/action`,
    scope: text("scope"),
    method: "POST",
    caller: "Azure Red Hat OpenShift",
    correlationId: text("id"),
    statusCode: statusCodes[text("status")] ?? 202,
    properties: {
      eventType: type,
      title: text("title"),
      status: text("status"),
      startTime: text("startTime"),
      ...(nonEmptyStringAt(event, "latestStartTime") ? { latestStartTime: text("latestStartTime") } : {}),
    },
  };
}
