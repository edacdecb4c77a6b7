/** Version in the form of Semantic Versioning 2.0.0, without build metadata. */
export interface SemanticVersion {
  readonly core: readonly [number, number, number];
  /** Identifiers of a pre-release, for example `rc` and `1`. Empty for a release. */
  readonly preRelease: readonly string[];
}

const number = "(?:0|[1-9]\\d{0,8})";
const form = new RegExp(`^(${number})\\.(${number})\\.(${number})(?:-([0-9A-Za-z.-]{1,64}))?$`);

/** Parses a semantic version. Returns `undefined` if `text` is not a semantic version. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, suffix] = form.exec(text) ?? [];
  if (major === undefined) return undefined;
  const preRelease = suffix?.split(".") ?? [];
  if (preRelease.some((each) => each === "" || /^0\d+$/.test(each))) return undefined;
  return { core: [Number(major), Number(minor), Number(patch)], preRelease };
}

/** Compares by precedence. Negative if `a` is older than `b`. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [at, value] of a.core.entries()) {
    const difference = value - (b.core[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0)
    return b.preRelease.length - a.preRelease.length;
  for (let at = 0; ; at++) {
    const [left, right] = [a.preRelease[at], b.preRelease[at]];
    if (left === undefined || right === undefined) return a.preRelease.length - b.preRelease.length;
    if (left !== right) return compareIdentifiers(left, right);
  }
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [a, b].map((each) => (/^\d+$/.test(each) ? Number(each) : undefined));
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined) return -1;
  if (right !== undefined) return 1;
  return a < b ? -1 : 1;
}
