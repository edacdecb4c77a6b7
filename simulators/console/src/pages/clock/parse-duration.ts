const unitsMs = [86_400_000, 3_600_000, 60_000, 1_000];

/** Parses a duration such as `1d6h30m` to milliseconds. Undefined for other strings. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?$/
    .exec(text.replace(/\s/g, ""))
    ?.slice(1);
  const ms = unitsMs.reduce((sum, unit, index) => sum + unit * Number(parts?.[index] ?? 0), 0);
  return ms > 0 ? ms : undefined;
}
