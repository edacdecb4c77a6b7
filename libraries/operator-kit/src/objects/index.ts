/** Kept objects, their repairs and statuses: all that an operator without static pods loads of this package. */
export { patchStatus } from "../status/status-patch.ts";
export { ManagedObjects } from "./managed-objects.ts";
export { operatorMetric } from "./operator-metric.ts";
export { RepairRecorder } from "./repair-recorder.ts";
