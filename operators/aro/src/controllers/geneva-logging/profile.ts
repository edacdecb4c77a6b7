import { flagOr } from "@keelson/aro-api";
import type { ExporterRole } from "./names.ts";

/** Log profiles, from all logs to only warnings and errors. */
export const profiles = ["max-logs", "reduced-logs", "minimal-logs"] as const;
export type Profile = (typeof profiles)[number];

const flag = "aro.genevalogging.otel";

/**
 * Returns the profile of a role. The flag for the role takes precedence over the common flag.
 * @throws Error for an unknown profile
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
