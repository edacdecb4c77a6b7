import { portalErrors } from "../errors/portal-errors.ts";

/** Maximum number of points of a series. Prometheus has the same limit. */
export const maxPoints = 11_000;

const units = { y: 31_536_000, w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;
const duration = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const decimal = /^\d{1,15}(\.\d*)?$/;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Rejects a range query with too many points per series. If this function cannot parse the parameters, it accepts the query, and
 * Prometheus checks it.
 * @throws BadRequest
 */
export function checkPoints(path: string, search: string): void {
  if (path !== "api/v1/query_range") return;
  const parameters = new URLSearchParams(search);
  const text = (name: string) => parameters.get(name) ?? "";
  const [start, end, step] = [seconds(text("start")), seconds(text("end")), durationSeconds(text("step"))];
  if (!(step > 0) || !(end >= start)) return;
  const points = Math.floor((end - start) / step) + 1;
  if (points > maxPoints)
    throw portalErrors.BadRequest(
      `The query has ${points} points per series. At most ${maxPoints} are allowed. Increase 'step' or shorten the range.`,
    );
}

/** Converts a time of the Prometheus API to seconds. Returns NaN for an invalid time. */
function seconds(text: string): number {
  if (decimal.test(text)) return Number(text);
  return rfc3339.test(text) ? Date.parse(text) / 1_000 : Number.NaN;
}

/** Converts a duration of the Prometheus API to seconds, for example `30`, `1.5` or `1m30s`. Returns NaN for an invalid duration. */
export function durationSeconds(text: string): number {
  if (decimal.test(text)) return Number(text);
  const parts = text === "" ? null : duration.exec(text);
  if (!parts) return Number.NaN;
  return Object.values(units).reduce((sum, size, at) => sum + Number(parts[at + 1] ?? 0) * size, 0);
}
