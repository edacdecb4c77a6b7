const maxDelayMs = 300_000;

/**
 * Parses the header `Retry-After`, which contains seconds or a date. Returns the delay in ms, at most five minutes. Undefined if the
 * header is missing or has a different format.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxDelayMs) : undefined;
}
