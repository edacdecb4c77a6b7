import { defaultTimings, type Timings } from "./timings.ts";

const second = 1_000;
const minute = 60 * second;

/**
 * Durations that were measured in real installations. Together with the durations of the simulated Azure, they result in an
 * installation time of about 46 minutes (recorded: 45 to 49).
 */
const recorded: Timings = {
  bootstrapBootMs: 5 * minute,
  nodeBootMs: 6 * minute,
  nodeReadyMs: minute,
  operatorIntervalMs: 60 * second,
  payloadDelayMs: 30 * second,
  firstBootMs: 30 * minute,
  rebootMs: 3 * minute,
  drainRetryMs: 5 * second,
};

/** Returns the measured durations multiplied by `factor`. No returned duration is shorter than its default. */
export function recordedTimings(factor: number): Timings {
  const scaled = (name: keyof Timings) => Math.max(defaultTimings[name], recorded[name] * factor);
  return {
    bootstrapBootMs: scaled("bootstrapBootMs"),
    nodeBootMs: scaled("nodeBootMs"),
    nodeReadyMs: scaled("nodeReadyMs"),
    operatorIntervalMs: scaled("operatorIntervalMs"),
    payloadDelayMs: scaled("payloadDelayMs"),
    firstBootMs: scaled("firstBootMs"),
    rebootMs: scaled("rebootMs"),
    drainRetryMs: scaled("drainRetryMs"),
  };
}
