import { baselineChecks, type Check, type VersionedCheck } from "./baseline-checks.ts";
import type { LevelVersion } from "./level.ts";
import type { PodView, Violation } from "./pod-view.ts";
import { replacedBy, restrictedChecks } from "./restricted-checks.ts";

/** Returns all violations of a pod security level. @see kubernetes/pod-security-admission policy/registry.go */
export function violationsOf({ level, minor }: LevelVersion, pod: PodView): readonly Violation[] {
  if (level === "privileged") return [];
  const at = minor === "latest" ? Number.POSITIVE_INFINITY : minor;
  const isRestricted = level === "restricted";
  const stricter = isRestricted ? applicable(restrictedChecks, at) : new Map<string, Check>();
  const base = [...applicable(baselineChecks, at)].filter(
    ([name]) => !stricter.has(replacedBy.get(name) ?? ""),
  );
  return [...base, ...stricter].flatMap(([, check]) => check(pod) ?? []);
}

export function reasonsOf(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

export function detailsOf(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

/** Returns the checks that apply to a Kubernetes minor version, by name. */
function applicable(checks: ReadonlyMap<string, VersionedCheck>, minor: number): ReadonlyMap<string, Check> {
  return new Map(
    [...checks].flatMap(([name, versions]) => {
      const found = versions.findLast(([since]) => since <= minor);
      return found ? [[name, found[1]] as const] : [];
    }),
  );
}
