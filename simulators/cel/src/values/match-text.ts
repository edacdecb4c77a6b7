import { threadCpuMs } from "@keelson/base";
import { CostExceeded, type Meter } from "./meter.ts";
import { findRegex, type Regex } from "./regex.ts";

/** Maximum steps of one match (instructions times characters). The worst patterns need about 0.1 seconds for this number. */
const maxSteps = 1_000_000;
/** Match steps (instructions times characters) that count as one node of work. */
export const stepsPerNode = 16;
const nodesPerMs = 20_000;

/**
 * Calls `use` with the compiled regular expression. Returns undefined for an invalid pattern. Patterns of equal size can differ
 * in cost by a factor of thousands. The CPU time of this thread therefore also counts as work.
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
