import { readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../git/git.ts";
import { changelogProblems, type Release, releaseChangelog } from "./changelog.ts";
import { compareVersions, parseVersion } from "./semantic-version.ts";
import { currentVersion, versionChanges, writeChanges } from "./set-versions.ts";

/** Returns the reasons why the repository at `root` cannot be released as `version`. Empty if it can. */
export function releaseProblems(root: string, version: string): readonly string[] {
  const parsed = parseVersion(version);
  if (!parsed)
    return [
      `${JSON.stringify(version)} is not a semantic version. Use MAJOR.MINOR.PATCH, for example 0.2.0.`,
    ];
  const current = currentVersion(root);
  const before = parseVersion(current);
  const isOlder = before !== undefined && compareVersions(parsed, before) <= 0;
  const dirty = git(root, "status", "--porcelain").split("\n").filter(Boolean);
  return [
    ...(isOlder ? [`${version} is not newer than ${current}, the version of package.json.`] : []),
    ...(dirty.length === 0
      ? []
      : [
          `The working tree has ${dirty.length} changed files. Commit or remove them: ${dirty.slice(0, 5).join(", ")}`,
        ]),
    ...changelogProblems(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version),
  ];
}

/**
 * Sets the version of all packages, moves the entries of "Unreleased" in the changelog, and commits these changes.
 * @returns the changed paths
 */
export function cutRelease(root: string, release: Release, { dryRun = false } = {}): readonly string[] {
  const changelog = releaseChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"), release);
  const changes = new Map([...versionChanges(root, release.version), ["CHANGELOG.md", changelog]]);
  if (dryRun) return [...changes.keys()];
  writeChanges(root, changes);
  git(root, "add", "--", ...changes.keys());
  git(root, "commit", "--quiet", `--message=release: set version ${release.version}`);
  return [...changes.keys()];
}
