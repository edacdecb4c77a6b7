/** Kept objects, their repairs and statuses: all that an operator without static pods loads of this package. */

export { ManagedObjects } from "./managed-objects.ts";
export { operatorMetric } from "./operator-metric.ts";
export { RepairRecorder } from "./repair-recorder.ts";
export { patchStatus } from "./status-patch.ts";
