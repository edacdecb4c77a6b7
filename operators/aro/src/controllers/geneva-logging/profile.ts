import { flagOr } from "@keelson/aro-api";
import type { ExporterRole } from "./names.ts";

/** How much is exported, from all logs to what says that something is wrong. */
export const profiles = ["max-logs", "reduced-logs", "minimal-logs"] as const;
export type Profile = (typeof profiles)[number];

const flag = "aro.genevalogging.otel";

/**
 * The profile of a role: its own where it has one, else that of both.
 * @throws Error for one that is not known
 */
export function profileOf(flags: Readonly<Record<string, string>>, role: ExporterRole): Profile {
  const value = flagOr(flags, `${flag}.${role}.profile`, flagOr(flags, `${flag}.profile`, "minimal-logs"));
  const profile = profiles.find((each) => each === value);
  if (profile) return profile;
  const [first, second, last] = profiles.map((each) => JSON.stringify(each));
  throw new Error(
    `${role} profile: unsupported geneva otel profile ${JSON.stringify(value)}: expected ${first}, ${second}, or ${last}`,
  );
}
