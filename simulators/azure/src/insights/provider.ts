import type { ArmProvider } from "../arm/provider.ts";
import { noRoute } from "../arm/refusals.ts";
import { type ActivityLog, listActivities } from "./activity-log.ts";
import { actionGroups, autoscaleSettings, metricAlerts } from "./alerts.ts";

/** Returns the provider for Microsoft.Insights. `eventtypes/management/values` is the activity log. */
export function insightsProvider(activities: ActivityLog): ArmProvider {
  return {
    namespace: "Microsoft.Insights",
    types: [actionGroups, metricAlerts, autoscaleSettings],
    views: {
      "eventtypes/values": {
        method: "GET",
        run([kind = ""], request, subscription) {
          if (kind.toLowerCase() !== "management") throw noRoute(request);
          return listActivities(activities, subscription, request);
        },
      },
    },
  };
}
