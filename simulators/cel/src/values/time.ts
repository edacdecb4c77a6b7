const second = 1_000_000_000n;

const stamp =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 time to nanoseconds since 1970. Returns undefined if it is invalid. */
export function parseTimestamp(text: string): bigint | undefined {
  const found = stamp.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, seconds, fraction = "", sign, zoneHours = "0", zoneMinutes = "0"] =
    found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!real || Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  if (Number(zoneHours) > 24 || Number(zoneMinutes) > 59) return undefined;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -60 : 60);
  const ofDay = Number(hour) * 3_600 + Number(minute) * 60 + Number(seconds);
  return BigInt(date.getTime() / 1_000 + ofDay - zone) * second + BigInt(fraction.padEnd(9, "0"));
}

/** Fast path for times in the API server's format, with a day that exists in every month. */
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** True if a string is an RFC 3339 time. */
export function isTimestamp(text: string): boolean {
  return usual.test(text) || parseTimestamp(text) !== undefined;
}

/** Formats nanoseconds since 1970 as RFC 3339. Trailing zeros of the fraction are omitted. */
export function timestampText(nanos: bigint): string {
  const fraction = ((nanos % second) + second) % second;
  const date = new Date(Number((nanos - fraction) / 1_000_000n));
  const digits = fraction === 0n ? "" : `.${String(fraction).padStart(9, "0").replace(/0+$/, "")}`;
  return `${date.toISOString().slice(0, 19)}${digits}Z`;
}

const unitNanos: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/** Parses a Go duration (`1h30m`, `-1.5s`) to nanoseconds. Returns undefined if it is invalid. */
export function parseDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const rest = text.slice(sign.length);
  if (rest === "0") return 0n;
  if (rest === "" || rest.length > 200) return undefined;
  let total = 0n;
  let end = 0;
  for (const [all, amount = "", unit = ""] of rest.matchAll(part)) {
    const [whole = "", fraction = ""] = amount.split(".");
    const nanos = unitNanos[unit] ?? 1;
    total += BigInt(whole || "0") * BigInt(nanos);
    if (fraction)
      total += (BigInt(fraction.slice(0, 18)) * BigInt(nanos)) / 10n ** BigInt(Math.min(fraction.length, 18));
    end += all.length;
  }
  if (end !== rest.length || total > 2n ** 63n) return undefined;
  return sign === "-" ? -total : total;
}

/** Formats a duration as CEL does: as seconds, for example `1.5s`. */
export function durationText(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = String(magnitude % second)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${magnitude / second}${fraction ? `.${fraction}` : ""}s`;
}

/** Calendar fields of a time in a time zone. The zone is an IANA name or an offset such as `+02:00`. */
export interface ClockParts {
  readonly year: number;
  /** Month, 0 to 11. */
  readonly month: number;
  /** Day of the month, starting at 1. */
  readonly day: number;
  /** Day of the week. 0 is Sunday. */
  readonly weekday: number;
  /** Day of the year, starting at 0. */
  readonly dayOfYear: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** Returns the calendar fields of a time, or undefined for an unknown zone. */
export function clockParts(nanos: bigint, zone = "UTC"): ClockParts | undefined {
  const offset = offsetSeconds(nanos, zone);
  if (offset === undefined) return undefined;
  const fraction = ((nanos % second) + second) % second;
  const date = new Date((Number((nanos - fraction) / second) + offset) * 1_000);
  const year = date.getUTCFullYear();
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    dayOfYear: Math.floor((date.getTime() - start.getTime()) / 86_400_000),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
  };
}

function offsetSeconds(nanos: bigint, zone: string): number | undefined {
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed) return (Number(fixed[2]) * 3_600 + Number(fixed[3]) * 60) * (fixed[1] === "-" ? -1 : 1);
  if (zone === "" || zone === "UTC") return 0;
  try {
    const name = zoneFormat(zone)
      .formatToParts(new Date(Number(nanos / 1_000_000n)))
      .find(({ type }) => type === "timeZoneName")?.value;
    const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(name ?? "");
    const [, sign, hours = "0", minutes = "0", seconds = "0"] = found ?? [];
    return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === "-" ? -1 : 1);
  } catch {
    return undefined;
  }
}

const maxZones = 100;
const zones = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the date format of a time zone. Formats are cached, because their creation is slow.
 * @throws RangeError for unknown zones
 */
function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  const known = zones.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  if (zones.size >= maxZones) zones.clear();
  zones.set(timeZone, made);
  return made;
}
