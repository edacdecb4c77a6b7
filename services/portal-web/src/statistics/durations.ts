const hours = { h: 1, d: 24, w: 168 };

/** Selectable time ranges of charts. */
export const durations = [
  "1m",
  "5m",
  "10m",
  "30m",
  "1h",
  "2h",
  "6h",
  "12h",
  "1d",
  "2d",
  "1w",
  "2w",
  "4w",
  "8w",
] as const;
export type DurationName = (typeof durations)[number];
export const defaultDuration: DurationName = "1h";

export const parseDurationName = (text: string | null): DurationName =>
  durations.find((name) => name === text) ?? defaultDuration;

/** Returns the duration in ms. */
export function durationMs(name: DurationName): number {
  const go = goDuration(name);
  return Number.parseInt(go, 10) * (go.endsWith("h") ? 3_600_000 : 60_000);
}

/** Formats the duration in Go's format. Days are written as hours, for example `336h`, because Go has no unit for days. */
export function goDuration(name: DurationName): string {
  const [, count = "", unit = ""] = /^(\d+)([a-z])$/.exec(name) ?? [];
  return unit === "h" || unit === "d" || unit === "w" ? `${Number(count) * hours[unit]}h` : name;
}

/** Converts the value of a date and time input to RFC 3339. The value is interpreted as UTC. Undefined for invalid values. */
export function parseEndTime(text: string | null): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  const at = new Date(`${text}Z`);
  return Number.isNaN(at.getTime()) ? undefined : `${at.toISOString().slice(0, 19)}Z`;
}
