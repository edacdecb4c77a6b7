/** Maximum number of points in a chart. */
const points = 240;
/**
 * Minimum step in seconds. It is half of the scrape interval of OpenShift's Prometheus, because shorter steps only repeat values.
 */
const minSeconds = 15;

/** Returns the step of a range query in whole seconds. */
export function queryStepSeconds(rangeMs: number): number {
  return Math.max(minSeconds, Math.ceil(rangeMs / 1_000 / points));
}
