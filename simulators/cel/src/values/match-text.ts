import { threadCpuMs } from "@keelson/base";
import { CostExceeded, type Meter } from "./meter.ts";
import { findRegex, type Regex } from "./regex.ts";

/** Limit of instructions times characters in one match, about 0.1 seconds for the worst patterns. */
const maxSteps = 1_000_000;
/** Match steps (instructions times characters) per node of work. */
export const stepsPerNode = 16;
const nodesPerMs = 20_000;

/**
 * Calls `use` with the compiled regular expression. Undefined for an invalid pattern. The cost of patterns
 * differs by a factor of thousands, so the CPU time of this thread is also counted as work. The time of other
 * processes does not count.
 * @throws CostExceeded
 */
export function withRegex<T>(
  pattern: string,
  text: string,
  meter: Meter,
  use: (regex: Regex) => T,
): T | undefined {
  const beganMs = threadCpuMs();
  const regex = findRegex(pattern);
  const steps = regex ? regex.programSize * text.length : 0;
  if (steps > maxSteps) throw new CostExceeded();
  meter.work(steps / stepsPerNode);
  const result = regex && use(regex);
  meter.work((threadCpuMs() - beganMs) * nodesPerMs);
  return result;
}
