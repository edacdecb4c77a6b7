/** Managed objects, repairs and status reports for operators without static pods. */

export { ManagedObjects } from "./managed-objects.ts";
export { operatorMetric } from "./operator-metric.ts";
export { RepairRecorder } from "./repair-recorder.ts";
export { patchStatus } from "./status-patch.ts";
