import { errors } from "../registry/errors.ts";
import type { Release, ReleaseGraph } from "./release-graph.ts";
import { compareReleases, parseReleaseVersion } from "./release-version.ts";

/** Selection of the mirrored releases. */
export interface ReleaseRules {
  /** Oldest release that is mirrored by default. */
  readonly minimum: string;
  /** Releases that are never mirrored, for example because of missing images. */
  readonly deny: readonly string[];
}

const supportedMajor = 4;

/**
 * Validates the requested versions before anything is read or copied. Replaces `latest` with its value.
 * @throws UnsupportedVersion; UnknownVersion for a malformed version
 */
export function checkVersions(
  asked: readonly string[],
  latest: string,
  { deny }: ReleaseRules,
): readonly string[] {
  return [...new Set(asked.map((each) => (each.toLowerCase() === "latest" ? latest : each)))].map((text) => {
    const version = parseReleaseVersion(text);
    if (!version)
      throw errors.UnknownVersion(
        `${JSON.stringify(text.slice(0, 100))} is no version: expected X.Y.Z, or latest`,
      );
    if (version.major !== supportedMajor) {
      throw errors.UnsupportedVersion(
        `refusing to mirror unsupported OpenShift major version ${version.major}`,
      );
    }
    if (deny.includes(text))
      throw errors.UnsupportedVersion(`version ${text} is on the list of those that are not mirrored`);
    return text;
  });
}

/**
 * Returns the requested releases of the graph in ascending order. Default: all releases that the rules allow.
 */
export function chooseReleases(
  { releases }: ReleaseGraph,
  asked: readonly string[],
  { minimum, deny }: ReleaseRules,
): readonly Release[] {
  const oldest = parseReleaseVersion(minimum);
  if (!oldest) throw errors.UnknownVersion(`the oldest version to mirror, ${minimum}, is no version`);
  const missing = asked.filter((text) => !releases.some(({ version }) => version.text === text));
  if (missing.length > 0)
    throw errors.UnknownVersion(`the release graph does not have ${missing.join(", ")}`);
  const chosen = releases.filter(({ version }) =>
    asked.length > 0
      ? asked.includes(version.text)
      : version.major === supportedMajor &&
        version.suffix === "" &&
        !deny.includes(version.text) &&
        compareReleases(version, oldest) >= 0,
  );
  return chosen.toSorted((a, b) => compareReleases(a.version, b.version));
}
