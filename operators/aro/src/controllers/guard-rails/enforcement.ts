import { flagOr, isFlagOn } from "@keelson/aro-api";
import { isBefore, type ReleaseVersion } from "../../runtime/cluster-version.ts";
import type { AdmissionPolicy, ValidationAction } from "./admission-policy.ts";

type Flags = Readonly<Record<string, string>>;

/** Component that enforces the optional policies. Earlier releases of ARO-RP deployed Gatekeeper. */
export type Engine = "policies" | "gatekeeper" | "none";

/** True for OpenShift 4.17 and later. OpenShift 4.17 is the first release with ValidatingAdmissionPolicies (Kubernetes 1.30). */
export function hasPolicies(version: ReleaseVersion): boolean {
  return !isBefore(version, [4, 17, 0]);
}

export function engineOf(flags: Flags, version: ReleaseVersion): Engine {
  if (!hasPolicies(version)) return "none";
  const method = flagOr(flags, "aro.guardrails.method", "gatekeeper").toLowerCase();
  return method === "vap" || method === "auto" ? "policies" : "gatekeeper";
}

/**
 * True if the flags request that policies be deployed, false if they request that policies be removed. With `undefined`, existing
 * policies remain unchanged.
 */
export function isManaged(flags: Flags): boolean | undefined {
  const value = flagOr(flags, "aro.guardrails.deploy.managed", "").toLowerCase();
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** Returns the action for requests that violate the policy, or `undefined` if the policy must not be enforced. */
export function actionOf(flags: Flags, { name }: AdmissionPolicy): ValidationAction | undefined {
  const flag = `aro.guardrails.policies.${name}`;
  if (!isFlagOn(flags, `${flag}.managed`)) return undefined;
  switch (flagOr(flags, `${flag}.enforcement`, "dryrun").toLowerCase()) {
    case "deny":
      return "Deny";
    case "dryrun":
    case "audit":
      return "Audit";
    default:
      return "Warn";
  }
}
