const second = 1000;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * Formats a duration like kubectl: `47s`, `5m12s`, `3h20m`, `12d`, `2y101d`. A second unit is shown only while the number of the
 * first unit is small.
 * @see kubernetes/apimachinery pkg/util/duration/duration.go
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second);
  if (seconds < -1) return "<invalid>";
  if (seconds < 2 * minute) return `${Math.max(0, seconds)}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, minute, "m", 1, "s");
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, hour, "h", minute, "m");
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, day, "d", hour, "h");
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, year, "y", day, "d");
  return `${Math.trunc(seconds / year)}y`;
}

/**
 * Formats the duration from an RFC 3339 time to `now`. Returns `<unknown>` if the time is unset, and `<invalid>` if it is
 * invalid.
 */
export function ageOf(timestamp: unknown, now: Date): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "<unknown>";
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(ms) ? "<invalid>" : humanDuration(now.getTime() - ms);
}

function twoUnits(seconds: number, large: number, name: string, small: number, smallName: string): string {
  const rest = Math.trunc((seconds % large) / small);
  const whole = `${Math.trunc(seconds / large)}${name}`;
  return rest === 0 ? whole : `${whole}${rest}${smallName}`;
}
