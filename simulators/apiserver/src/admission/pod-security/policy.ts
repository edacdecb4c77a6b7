import { fieldError, type StatusCause } from "@keelson/apimachinery";
import { isStricter, type LevelVersion, type PodSecurityLevel, podSecurityLevels } from "@keelson/kube";

/** Pod security level of a namespace for each mode. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const privileged: LevelVersion = { level: "privileged", minor: "latest" };
export const labelPrefix = "pod-security.kubernetes.io/";

export function formatLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === "latest" ? minor : `v1.${minor}`}`;
}

export function sameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/**
 * Returns the policy and the validation errors of a namespace's labels. An invalid `enforce` label enforces the level
 * `restricted`. Invalid `audit` and `warn` labels have no effect.
 * @see kubernetes/pod-security-admission api/helpers.go (PolicyToEvaluate)
 */
export function policyOf(labels: Readonly<Record<string, string>>): {
  readonly policy: PodSecurityPolicy;
  readonly causes: readonly StatusCause[];
} {
  const causes: StatusCause[] = [];
  const read = (mode: keyof PodSecurityPolicy, unreadable: PodSecurityLevel): LevelVersion => {
    const level = labels[labelPrefix + mode];
    const version = labels[`${labelPrefix}${mode}-version`];
    const refuse = (label: string, value: string, why: string) =>
      causes.push(fieldError.invalid(`metadata.labels[${labelPrefix}${label}]`, value, why));
    const known = podSecurityLevels.find((each) => each === level);
    if (level !== undefined && !known) refuse(mode, level, `must be one of ${podSecurityLevels.join(", ")}`);
    const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(version ?? "")?.[1];
    if (version !== undefined && version !== "latest" && minor === undefined) {
      refuse(`${mode}-version`, version, 'must be "latest" or "v1.x"');
    }
    return {
      level: known ?? (level === undefined ? privileged.level : unreadable),
      minor: minor === undefined ? "latest" : Number(minor),
    };
  };
  const enforce = read("enforce", "restricted");
  const audit = read("audit", "privileged");
  const warn = read("warn", "privileged");
  const isEnforced = podSecurityLevels.some((each) => each === labels[`${labelPrefix}enforce`]);
  const warnsToo =
    isEnforced && labels[`${labelPrefix}warn`] === undefined && isStricter(enforce.level, warn.level);
  const ownVersion = labels[`${labelPrefix}warn-version`] !== undefined;
  return {
    policy: {
      enforce,
      audit,
      warn: warnsToo ? { level: enforce.level, minor: ownVersion ? warn.minor : enforce.minor } : warn,
    },
    causes,
  };
}
