import type { ResourceRecord } from "../../arm/resource.ts";

export type PowerState = "running" | "stopped" | "deallocated";

/** Returns the power state. A machine is off until its creation is complete. */
export function powerStateOf(record: ResourceRecord): PowerState {
  const { powerState } = record.hidden;
  return powerState === "running" || powerState === "deallocated" ? powerState : "stopped";
}

export function withPowerState(record: ResourceRecord, powerState: PowerState): ResourceRecord {
  return { ...record, hidden: { ...record.hidden, powerState } };
}
