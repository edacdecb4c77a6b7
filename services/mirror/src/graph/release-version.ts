/** OpenShift version, such as `4.19.24` or `4.20.0-rc.1`. */
export interface ReleaseVersion {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Version suffix such as `rc.1`. Empty for a final release. */
  readonly suffix: string;
}

export function parseReleaseVersion(text: string): ReleaseVersion | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})((?:[-+][-+.0-9A-Za-z]{1,100})?)$/.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch, suffix = ""] = match;
  return { text, major: Number(major), minor: Number(minor), patch: Number(patch), suffix };
}

/** Compares the version numbers and ignores the suffixes. */
export function compareReleases(a: ReleaseVersion, b: ReleaseVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}
