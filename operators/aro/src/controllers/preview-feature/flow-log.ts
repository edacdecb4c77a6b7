import { parseResourceId } from "@keelson/arm";
import type { PreviewFeature } from "@keelson/aro-api";
import { isPlainObject, type JsonObject, valueAt } from "@keelson/base";
import { differences } from "@keelson/kube";
import { isResourceId } from "../../azure/resource-ids.ts";

export type FlowLogSettings = NonNullable<NonNullable<PreviewFeature["spec"]>["nsgFlowLogs"]>;

/**
 * Returns the ID of a security group's flow log.
 * @throws Error for an invalid network watcher ID, with ARO-RP's message
 */
export function flowLogId({ networkWatcherID = "" }: FlowLogSettings, groupId: string): string {
  const id = parseResourceId(networkWatcherID);
  const [type, name] = id?.path.at(-1) ?? [];
  const isWatcher =
    isResourceId(networkWatcherID) &&
    id?.namespace.toLowerCase() === "microsoft.network" &&
    id.path.length === 1 &&
    type?.toLowerCase() === "networkwatchers" &&
    name !== undefined;
  if (!isWatcher) throw new Error(`parsing failed for ${networkWatcherID}. Invalid resource Id format`);
  return `${networkWatcherID}/flowLogs/${groupId.slice(groupId.lastIndexOf("/") + 1)}`;
}

/**
 * Returns the desired flow log of a security group.
 * @throws Error for invalid settings
 */
export function flowLog(settings: FlowLogSettings, groupId: string, location: string): JsonObject {
  const { storageAccountResourceId: storageId, version = 2, retentionDays = 90 } = settings;
  const { trafficAnalyticsLogAnalyticsWorkspaceId: workspace, trafficAnalyticsInterval = "60m" } = settings;
  if (!storageId) throw new Error("spec.nsgFlowLogs.storageAccountResourceId is empty");
  return {
    location,
    properties: {
      targetResourceId: groupId,
      storageId,
      enabled: true,
      format: { type: "JSON", version },
      retentionPolicy: { days: retentionDays, enabled: retentionDays > 0 },
      ...(workspace ? analytics(workspace, minutesOf(trafficAnalyticsInterval)) : {}),
    },
  };
}

function analytics(workspace: string, trafficAnalyticsInterval: number): JsonObject {
  const where = workspace.startsWith("/") ? { workspaceResourceId: workspace } : { workspaceId: workspace };
  return analyticsOf({ enabled: true, ...where, trafficAnalyticsInterval });
}

function analyticsOf(configuration: JsonObject): JsonObject {
  return { flowAnalyticsConfiguration: { networkWatcherFlowAnalyticsConfiguration: configuration } };
}

/** Returns the number of minutes in an interval such as `60m`. Clients with a duration type write `1h0m0s` instead. */
function minutesOf(interval: string): number {
  const [, hours = "0", minutes = "0"] = /^(?:(\d+)h)?(?:(\d+)m)?(?:0s)?$/.exec(interval) ?? [];
  const sum = Number(hours) * 60 + Number(minutes);
  if (sum > 0) return sum;
  throw new Error(`spec.nsgFlowLogs.trafficAnalyticsInterval is '${interval}', not 60m or 10m`);
}

/**
 * Merges the desired properties into the live flow log. `undefined` if nothing differs. Analytics are disabled if `wanted` does
 * not contain them. IDs are compared case-insensitively, because Azure may return an ID with a changed case.
 */
export function planFlowLog(live: JsonObject, wanted: JsonObject): JsonObject | undefined {
  const comparable = (value: JsonObject) => JSON.parse(JSON.stringify(value).toLowerCase());
  const analysed = valueAt(live, "properties", ...analyticsPath, "enabled") === true;
  const isWanted = valueAt(wanted, "properties", ...analyticsPath) !== undefined;
  const whole =
    analysed && !isWanted ? merged(wanted, { properties: analyticsOf({ enabled: false }) }) : wanted;
  return differences(comparable(live), comparable(whole)) ? merged(live, whole) : undefined;
}

const analyticsPath = ["flowAnalyticsConfiguration", "networkWatcherFlowAnalyticsConfiguration"];

function merged(live: JsonObject, wanted: JsonObject): JsonObject {
  const members = Object.entries(wanted).map(([name, value]) => {
    const before = live[name];
    return [
      name,
      isPlainObject(before) && isPlainObject(value) ? merged(before as JsonObject, value) : value,
    ];
  });
  return { ...live, ...Object.fromEntries(members) };
}
