/** From the most permissive to the strictest. @see https://kubernetes.io/docs/concepts/security/pod-security-standards/ */
export const podSecurityLevels = ["privileged", "baseline", "restricted"] as const;
export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** A level as of a minor version of Kubernetes; the newest one is `latest`. */
export interface LevelVersion {
  readonly level: PodSecurityLevel;
  readonly minor: number | "latest";
}

export function isStricter(a: PodSecurityLevel, b: PodSecurityLevel): boolean {
  return podSecurityLevels.indexOf(a) > podSecurityLevels.indexOf(b);
}
