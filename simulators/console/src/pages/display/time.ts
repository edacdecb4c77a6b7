/** Formats an RFC 3339 time as `2026-11-27 01:52:46 UTC`. */
export function formatTime(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration in its two largest units, for example `1 h 5 min`. */
export function formatDuration(ms: number): string {
  let rest = Math.round(Math.abs(ms) / 1_000);
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}
