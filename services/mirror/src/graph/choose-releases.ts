import { errors } from "../registry/errors.ts";
import type { Release, ReleaseGraph, SkippedNode } from "./release-graph.ts";
import { compareReleases, parseReleaseVersion } from "./release-version.ts";

/** Rules that select the releases to mirror. */
export interface ReleaseRules {
  /** Oldest release mirrored by default. */
  readonly minimum: string;
  /** Releases that are never mirrored, for example because images are missing. */
  readonly deny: readonly string[];
}

const supportedMajor = 4;

/**
 * Validates the requested versions before any release is read or copied. Replaces `latest` with its version.
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

export interface ChosenReleases {
  /** Releases in ascending order. */
  readonly releases: readonly Release[];
  /** Releases of the graph that the rules exclude. The list is empty if versions were requested explicitly. */
  readonly skipped: readonly SkippedNode[];
}

/**
 * Returns the requested releases of the graph in ascending order. If no versions are requested, returns all releases that the
 * rules allow.
 * @throws UnknownVersion
 */
export function chooseReleases(
  { releases }: ReleaseGraph,
  asked: readonly string[],
  { minimum, deny }: ReleaseRules,
): ChosenReleases {
  const oldest = parseReleaseVersion(minimum);
  if (!oldest) throw errors.UnknownVersion(`the oldest version to mirror, ${minimum}, is no version`);
  const missing = asked.filter((text) => !releases.some(({ version }) => version.text === text));
  if (missing.length > 0)
    throw errors.UnknownVersion(`the release graph does not have ${missing.join(", ")}`);
  const reasonAgainst = ({ version }: Release): string | undefined => {
    if (version.major !== supportedMajor) return `major version ${version.major} is not supported`;
    if (version.suffix !== "") return "it is a candidate";
    if (deny.includes(version.text)) return 'it is on the list "deny"';
    return compareReleases(version, oldest) < 0 ? `it is older than ${minimum}` : undefined;
  };
  const isAsked = ({ version }: Release) => asked.includes(version.text);
  const chosen = releases.filter((each) =>
    asked.length > 0 ? isAsked(each) : reasonAgainst(each) === undefined,
  );
  const left = asked.length > 0 ? [] : releases;
  const skipped = left.flatMap((each) => {
    const reason = reasonAgainst(each);
    return reason === undefined ? [] : [{ version: each.version.text, reason }];
  });
  return { releases: chosen.toSorted((a, b) => compareReleases(a.version, b.version)), skipped };
}
