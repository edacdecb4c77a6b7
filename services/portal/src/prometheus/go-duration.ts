const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Milliseconds of a duration as Go writes it, for example `1h30m`; `undefined` for every other text. */
export function parseGoDuration(text: string): number | undefined {
  if (text.length > 64) return undefined;
  const isNegative = text.startsWith("-");
  const digits = text.replace(/^[+-]/, "");
  if (digits === "0") return 0;
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < digits.length) {
    const found = part.exec(digits);
    if (!found) return undefined;
    total += Number(found[1]) * (unitMs[found[2] ?? ""] ?? 0);
  }
  if (digits === "") return undefined;
  return isNegative ? -total : total;
}
