export { type Actuator, type ActuatorOptions, startActuator } from "./actuator/actuator.ts";
export type { MaintenanceTasks } from "./actuator/manifest-worker.ts";
export { type Scheduler, type SchedulerOptions, startScheduler } from "./scheduler/scheduler.ts";
