/** OpenShift version `x.y.z` with an optional pre-release or build suffix. Comparisons ignore the suffix. */
export interface OpenShiftVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export function parseVersion(text: string): OpenShiftVersion | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-[-0-9A-Za-z.]+)?(?:\+[-0-9A-Za-z.]+)?$/.exec(text);
  if (!match) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Compares versions. The result is negative if `a` is older than `b`, 0 if they are equal, and positive if `a` is newer. */
export function compareVersions(a: OpenShiftVersion, b: OpenShiftVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** Returns the minor version, for example `4.16` for `4.16.3`. */
export function minorVersion({ major, minor }: OpenShiftVersion): string {
  return `${major}.${minor}`;
}
