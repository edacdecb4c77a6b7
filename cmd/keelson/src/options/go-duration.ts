import { parseGoDuration } from "@keelson/base";
import { InvalidArgumentError } from "commander";

/** Parses the flag value of a Go duration such as `2m0s`. Returns milliseconds. */
export function parsePositiveDuration(text: string): number {
  const duration = parseGoDuration(text);
  if (duration.kind === "problem" || duration.ms <= 0)
    throw new InvalidArgumentError("expected a duration above 0, for example 2m0s.");
  return duration.ms;
}
