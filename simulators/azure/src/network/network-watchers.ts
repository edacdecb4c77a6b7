import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";
import { resourceName } from "./names.ts";

/** Network watchers. A region can have only one network watcher, as in Azure. Clients choose the watcher's name. */
export const networkWatchers: ResourceType = {
  namespace: "Microsoft.Network",
  type: "networkWatchers",
  statuses: { deleted: 204 },
  etag: "weak",
  names: resourceName,
  prepare({ body, existing }, subscription) {
    const location = nonEmptyStringAt(body, "location");
    const twin = subscription.resources
      .ofType("Microsoft.Network/networkWatchers")
      .find((each) => each.id !== existing?.id && nonEmptyStringAt(each.body, "location") === location);
    if (twin && !existing) {
      throw badRequest(
        "NetworkWatcherCountLimitReached",
        `Cannot create more than 1 network watchers for this subscription in this region: ${twin.id} is there.`,
      );
    }
    return { body };
  },
};

/** Flow logs of a security group, a subnet or a network. The simulation writes no flow logs. */
export const flowLogs: ResourceType = {
  namespace: "Microsoft.Network",
  type: "networkWatchers/flowLogs",
  statuses: { deleted: 204 },
  etag: "weak",
  names: resourceName,
  readOnly: ["targetResourceGuid"],
  references: [
    { path: [], member: "targetResourceId", soft: true },
    { path: [], member: "storageId", soft: true },
  ],
  prepare({ id, body }, subscription) {
    const target = nonEmptyStringAt(body, "properties", "targetResourceId");
    if (target === undefined || nonEmptyStringAt(body, "properties", "storageId") === undefined) {
      throw badRequest(
        "InvalidRequestFormat",
        `Flow log ${id} needs 'properties.targetResourceId' and 'properties.storageId'.`,
      );
    }
    const twin = subscription.resources
      .referrers(target)
      .find(({ from }) => /\/flowLogs\//i.test(from) && from.toLowerCase() !== id.toLowerCase());
    if (twin) {
      throw badRequest(
        "FlowLogAlreadyExistsForTargetResource",
        `The resource ${target} has the flow log ${twin.from} already.`,
      );
    }
    return {
      body: withProperties(body, {
        targetResourceGuid: guidOf(target),
        enabled: at(body, "properties", "enabled") ?? true,
        format: at(body, "properties", "format") ?? { type: "JSON", version: 1 },
        retentionPolicy: at(body, "properties", "retentionPolicy") ?? { days: 0, enabled: false },
      }),
    };
  },
};
