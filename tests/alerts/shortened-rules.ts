import { readFileSync } from "node:fs";

const directory = new URL("../../deploy/monitoring/", import.meta.url);
/** Names of the shipped rule files. */
export const ruleFileNames = ["rules.yaml", "service-rules.yaml"] as const;

export interface ShortenedRules {
  readonly text: string;
  /** Longest waiting time of an alert in seconds, after the division. */
  readonly longestSeconds: number;
}

/**
 * Divides the waiting time (`for`) of each alert of a shipped rule file by `factor`. All other fields stay unchanged. In particular,
 * ranges such as `[15m]` keep their length. A condition that lasts too briefly to fire in production may therefore fire here, but an
 * alert that fires in production also fires here.
 * @throws Error if an alert has a waiting time in an unknown form
 */
export function shortenedRules(name: (typeof ruleFileNames)[number], factor: number): ShortenedRules {
  return shorten(readFileSync(new URL(name, directory), "utf8"), factor);
}

export function shorten(source: string, factor: number): ShortenedRules {
  let longestSeconds = 0;
  const text = source.replace(/^( +for: )(.*)$/gm, (_, start: string, duration: string) => {
    const [, minutes] = /^(\d+)m$/.exec(duration) ?? [];
    if (minutes === undefined) throw new Error(`an alert has the waiting time ${duration}, expected minutes`);
    const ms = Math.round((Number(minutes) * 60_000) / factor);
    longestSeconds = Math.max(longestSeconds, ms / 1_000);
    return `${start}${ms}ms`;
  });
  return { text, longestSeconds };
}
