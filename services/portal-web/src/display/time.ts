/** `2026-11-27 01:52:46 UTC`; the text itself where it is no time, a dash where it is empty. */
export function formatTime(text: string): string {
  if (text === "") return "–";
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** The two largest units: `1 h 5 min`, `42 s`, `0.3 s`. */
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

/** The time since, in its largest unit: `5 min ago`. Less than a minute is `just now`. */
export function formatAge(text: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(text)) / 1_000;
  if (Number.isNaN(seconds)) return text;
  const [name, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return name === "s" ? "just now" : `${Math.floor(seconds / size)} ${name} ago`;
}
