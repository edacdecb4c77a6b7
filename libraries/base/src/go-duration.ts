const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Maximum Go duration in ms. Go stores a duration as a 64-bit number of nanoseconds. */
const longestMs = 2 ** 63 / 1e6;

export type ParsedDuration =
  | { readonly kind: "duration"; readonly ms: number }
  | { readonly kind: "problem"; readonly message: string };

/** Parses a Go duration, for example `1h30m`, `24h`, `-1.5s` or `0`. */
export function parseGoDuration(text: string): ParsedDuration {
  const invalid: ParsedDuration = { kind: "problem", message: `invalid duration ${JSON.stringify(text)}` };
  const [, sign, rest = ""] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return { kind: "duration", ms: 0 };
  if (rest === "") return invalid;
  let ms = 0;
  let left = rest;
  while (left !== "") {
    const part = /^(\d*)(?:\.(\d*))?/.exec(left);
    const [number = "", whole = "", fraction = ""] = part ?? [];
    if (whole === "" && fraction === "") return invalid;
    left = left.slice(number.length);
    const [unit = ""] = /^[^.\d]*/.exec(left) ?? [];
    if (unit === "") return { kind: "problem", message: `missing unit in duration ${JSON.stringify(text)}` };
    const unitMs = Object.hasOwn(unitsMs, unit) ? unitsMs[unit] : undefined;
    if (unitMs === undefined) {
      return {
        kind: "problem",
        message: `unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`,
      };
    }
    ms += Number(`${whole || 0}.${fraction || 0}`) * unitMs;
    if (ms > longestMs) return invalid;
    left = left.slice(unit.length);
  }
  return { kind: "duration", ms: sign === "-" ? -ms : ms };
}

/** Formats a Go duration, rounded to seconds: `360h0m0s`, `4m45s`, `8s`. */
export function formatGoDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const short = `${minutes}m${seconds % 60}s`;
  if (hours > 0) return `${hours}h${short}`;
  return minutes > 0 ? short : `${seconds}s`;
}
