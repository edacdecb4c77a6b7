export { startActuator } from "./actuator/actuator.ts";
export { startScheduler } from "./scheduler/scheduler.ts";
