import type { JsonObject } from "@keelson/base";
import { beginAction } from "../../arm/provisioning.ts";
import type { ResourceRecord } from "../../arm/resource.ts";
import type { ResourceAction } from "../../arm/resource-type.ts";
import { draw } from "../../arm/timings.ts";
import { nonEmptyStringAt } from "../../base/json.ts";
import { type PowerState, powerStateOf } from "./power-state.ts";

/** Power state after each action. */
export const powerAfter: Readonly<Record<string, PowerState>> = {
  write: "running",
  start: "running",
  restart: "running",
  redeploy: "running",
  reimage: "running",
  powerOff: "stopped",
  deallocate: "deallocated",
};

export function powerAction(name: string): ResourceAction {
  return {
    method: "POST",
    run: (record, request, subscription) =>
      beginAction(subscription, record, name, draw(subscription.timings.vmActionMs), request),
  };
}

/** Returns the provisioning state and power state for instance views. */
export function powerStatuses(record: ResourceRecord): readonly JsonObject[] {
  const provisioning = nonEmptyStringAt(record.body, "properties", "provisioningState") ?? "";
  return [
    {
      code: `ProvisioningState/${provisioning.toLowerCase()}`,
      level: "Info",
      displayStatus: provisioning,
      time: record.changedAt,
    },
    {
      code: `PowerState/${powerStateOf(record)}`,
      level: "Info",
      displayStatus: `VM ${powerStateOf(record)}`,
    },
  ];
}
