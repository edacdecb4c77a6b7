/** An OpenShift version `x.y.z`, with or without a pre-release or build suffix, which is not compared. */
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

/** Negative when `a` is older than `b`, 0 when they are the same. */
export function compareVersions(a: OpenShiftVersion, b: OpenShiftVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** `4.16` of `4.16.3`. */
export function minorVersion({ major, minor }: OpenShiftVersion): string {
  return `${major}.${minor}`;
}
