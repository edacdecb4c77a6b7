import { threadCpuMs } from "@keelson/base";
import { CostExceeded, type Meter } from "./meter.ts";
import { findRegex, type Regex } from "./regex.ts";

/** Instructions times characters of one match: the worst patterns take a tenth of a second for so many. */
const maxSteps = 1_000_000;
/** Steps of matching, instructions times characters, that count as one node of work. */
export const stepsPerNode = 16;
const nodesPerMs = 20_000;

/**
 * Runs `use` with a pattern's regular expression; `undefined` when the pattern is none. What compiling and matching take
 * differs a thousandfold from pattern to pattern, so the CPU time of this thread is measured and counted as work. Time in which
 * other programs run does not count.
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
