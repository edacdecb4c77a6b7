import { flagOr, isFlagOn } from "@keelson/aro-api";
import { isBefore, type ReleaseVersion } from "../../runtime/cluster-version.ts";
import type { AdmissionPolicy, ValidationAction } from "./admission-policy.ts";

type Flags = Readonly<Record<string, string>>;

/** What enforces the optional policies. Gatekeeper is what the original's earlier versions deployed. */
export type Engine = "policies" | "gatekeeper" | "none";

/** OpenShift 4.17 is the first whose API server has ValidatingAdmissionPolicies (Kubernetes 1.30). */
export function hasPolicies(version: ReleaseVersion): boolean {
  return !isBefore(version, [4, 17, 0]);
}

export function engineOf(flags: Flags, version: ReleaseVersion): Engine {
  if (!hasPolicies(version)) return "none";
  const method = flagOr(flags, "aro.guardrails.method", "gatekeeper").toLowerCase();
  return method === "vap" || method === "auto" ? "policies" : "gatekeeper";
}

/** Whether policies are deployed or removed; `undefined` leaves them as they are. */
export function isManaged(flags: Flags): boolean | undefined {
  const value = flagOr(flags, "aro.guardrails.deploy.managed", "").toLowerCase();
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** What is done about requests that a policy does not allow; `undefined` where it is not to be in force. */
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
