export { hurriedClock } from "./hurried-clock.ts";
export { guardOf } from "./lease-guard.ts";
