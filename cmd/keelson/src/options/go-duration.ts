import { InvalidArgumentError } from "commander";

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Parses a Go duration such as `2m0s`. Returns milliseconds. */
export function parseGoDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const ms = parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
  if (parts.map(([whole]) => whole).join("") !== text || ms <= 0)
    throw new InvalidArgumentError("expected a duration above 0, for example 2m0s.");
  return ms;
}
