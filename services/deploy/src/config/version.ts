import { errors } from "./errors.ts";

/**
 * Allowed versions. A version is part of scale set names and image names, and Azure limits the length and characters of these
 * names.
 */
const pattern = /^[0-9A-Za-z]([\w.-]{0,38}[0-9A-Za-z])?$/;

/**
 * Validates a version.
 * @throws UndeployableVersion for a version that identifies no commit or does not have the allowed form
 */
export function checkVersion(version: string): void {
  if (version === "unknown" || /dirty/.test(version)) {
    throw errors.UndeployableVersion(
      `The version '${version}' cannot be deployed: build from a commit without changes beside it, and name that.`,
    );
  }
  if (pattern.test(version)) return;
  throw errors.UndeployableVersion(
    `The version '${version}' cannot be deployed: it has 1 to 40 letters, digits, '.', '_' and '-', and begins and ends with a letter or digit.`,
  );
}
