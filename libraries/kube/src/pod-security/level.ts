/**
 * Pod security levels, the most permissive first.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export const podSecurityLevels = ["privileged", "baseline", "restricted"] as const;
export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** Level as defined in a minor version of Kubernetes. `latest` is the newest version. */
export interface LevelVersion {
  readonly level: PodSecurityLevel;
  readonly minor: number | "latest";
}

export function isStricter(a: PodSecurityLevel, b: PodSecurityLevel): boolean {
  return podSecurityLevels.indexOf(a) > podSecurityLevels.indexOf(b);
}
