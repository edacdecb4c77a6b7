import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";

const insights = {
  namespace: "Microsoft.Insights",
  names: /^[^<>*%&:\\?+/#]{1,260}$/,
  provisioningState: false,
} as const;

/** Action groups: recipients of alerts. The simulation sends no alerts. */
export const actionGroups: ResourceType = {
  ...insights,
  type: "actionGroups",
  location: "global",
  prepare({ body, name }) {
    const shortName = nonEmptyStringAt(body, "properties", "groupShortName") ?? "";
    if (shortName.length === 0 || shortName.length > 12) {
      throw badRequest("InvalidActionGroup", `The short name of ${name} has 1 to 12 characters.`);
    }
    return {
      body: withProperties(body, {
        enabled: at(body, "properties", "enabled") ?? true,
        groupShortName: shortName,
      }),
    };
  },
};

const windows = ["PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT6H", "PT12H", "P1D"];
const frequencies = windows.slice(0, 5);

/** Metric alert rules. They never fire, because the simulation has no metrics. */
export const metricAlerts: ResourceType = {
  ...insights,
  type: "metricAlerts",
  statuses: { created: 200 },
  location: "global",
  prepare({ body, name }, subscription) {
    const scopes = at(body, "properties", "scopes");
    for (const id of Array.isArray(scopes) ? scopes : [""])
      checkExists(String(id), `alert ${name}`, subscription);
    for (const each of objectsAt(body, "properties", "actions")) {
      checkExists(nonEmptyStringAt(each, "actionGroupId") ?? "", `alert ${name}`, subscription);
    }
    const window = nonEmptyStringAt(body, "properties", "windowSize") ?? "";
    const frequency = nonEmptyStringAt(body, "properties", "evaluationFrequency") ?? "";
    if (!windows.includes(window) || !frequencies.includes(frequency)) {
      throw badRequest(
        "BadRequest",
        `The alert ${name} is evaluated every ${frequency} over ${window}: frequencies are ${frequencies.join(", ")}, windows ${windows.join(", ")}.`,
      );
    }
    if (objectsAt(body, "properties", "criteria", "allOf").length === 0) {
      throw badRequest("BadRequest", `The alert ${name} needs criteria.`);
    }
    return { body };
  },
};

/** Autoscale settings of scale sets. The simulation does not apply them. */
export const autoscaleSettings: ResourceType = {
  ...insights,
  type: "autoscaleSettings",
  prepare({ body, name }, subscription) {
    checkExists(
      nonEmptyStringAt(body, "properties", "targetResourceUri") ?? "",
      `autoscale setting ${name}`,
      subscription,
    );
    const [profile] = objectsAt(body, "properties", "profiles");
    const limits = ["minimum", "maximum", "default"].map((each) =>
      Number(nonEmptyStringAt(profile, "capacity", each)),
    );
    const [least = Number.NaN, most = Number.NaN, usual = Number.NaN] = limits;
    if (!(least <= usual && usual <= most)) {
      throw badRequest(
        "BadRequest",
        `The autoscale setting ${name} needs a profile with a capacity of minimum, maximum and a default in between, as strings.`,
      );
    }
    return { body };
  },
};

function checkExists(id: string, what: string, subscription: Subscription): void {
  if (subscription.resources.find(id)) return;
  throw badRequest("ResourceNotFound", `The ${what} refers to the resource '${id}', which was not found.`);
}
