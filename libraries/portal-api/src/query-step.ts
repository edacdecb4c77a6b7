/** Maximum number of points in a chart. */
const points = 240;
/**
 * Minimum step in seconds. It is half of the scrape interval (30 s) of OpenShift's Prometheus. Even shorter steps would mostly
 * repeat values.
 */
const minSeconds = 15;

/** Returns the step of a range query in whole seconds. */
export function queryStepSeconds(rangeMs: number): number {
  return Math.max(minSeconds, Math.ceil(rangeMs / 1_000 / points));
}
