export { hurriedClock } from "./hurried-clock.ts";
export { guardOf } from "./lease-guard.ts";
export { runStep, type StepRun } from "./run-step.ts";
