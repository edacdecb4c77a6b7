/**
 * Formats a time as `2026-11-27 01:52:46 UTC`. An empty string becomes a dash. Strings that are not times are returned unchanged.
 */
export function formatTime(text: string): string {
  if (text === "") return "–";
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Formatters by time zone. They are cached, because it takes longer to create a formatter than to render a table row. */
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

function formatterOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  formatters.set(timeZone, made);
  return made;
}

/**
 * Formats a time as `2026-11-27 02:52:46 GMT+1`. Default time zone: the browser's time zone. Strings that are not times are
 * returned unchanged.
 */
export function formatLocalTime(text: string, timeZone?: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const parts = formatterOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  const date = [part("year"), part("month"), part("day")].join("-");
  const time = [part("hour"), part("minute"), part("second")].join(":");
  return `${date} ${time} ${part("timeZoneName")}`;
}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration with its two largest units: `1 h 5 min`, `42 s`, `0.3 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/**
 * Formats the time between a moment and now in the largest unit: `5 min ago`, `in 2 h`. Returns `just now` for less than a
 * minute.
 */
export function formatAge(text: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(text)) / 1_000;
  if (Number.isNaN(seconds)) return text;
  const [name, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ["s", 1];
  if (name === "s") return "just now";
  const amount = `${Math.floor(Math.abs(seconds) / size)} ${name}`;
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}
