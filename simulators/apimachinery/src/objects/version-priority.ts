/**
 * Compares two versions by client preference. Stable versions precede beta versions, and beta versions precede alpha versions.
 * Among versions with the same stability, newer versions come first. Version names in other formats come last, sorted by name.
 */
export function comparePriority(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  for (const [at, value] of left.entries()) {
    const difference = (right[at] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

function parts(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const [, major, stage, minor] = match;
  return [stage === "alpha" ? 0 : stage === "beta" ? 1 : 2, Number(major), Number(minor ?? 0)];
}
