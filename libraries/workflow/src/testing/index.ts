export { hurriedClock } from "./hurried-clock.ts";
export { guardOf } from "./lease-guard.ts";
export { runStep } from "./run-step.ts";
