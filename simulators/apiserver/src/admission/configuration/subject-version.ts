import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { ResourceDirectory } from "../../resources/resource-directory.ts";
import type { ServedResource } from "../../resources/served-resource.ts";
import { covers, type Rule, type Target } from "./rule.ts";

/**
 * Match settings of a webhook or policy: its rules, its exceptions, and the match policy for other API versions of a resource.
 */
export interface Rules {
  readonly rules: readonly Rule[];
  readonly exceptions: readonly Rule[];
  readonly matchPolicy: "Exact" | "Equivalent";
}

/**
 * Rules that match a request, with the exceptions that match it. The webhook or policy receives objects in the API version of
 * `resource`.
 */
export interface Match {
  readonly resource: ServedResource;
  readonly rules: readonly Rule[];
  readonly exceptions: readonly Rule[];
}

/**
 * Finds the rules that match a target, and the resource in the API version that these rules name. Returns undefined if no rule
 * matches. Does not compare object names, because `isNamed` compares them later.
 */
export function matchOf(rules: Rules, target: Target, directory: ResourceDirectory): Match | undefined {
  const exact = coveringRules(rules, target);
  if (exact) return exact;
  if (rules.matchPolicy === "Exact") return undefined;
  for (const resource of directory.all()) {
    if (resource.bucket !== target.resource.bucket || resource === target.resource) continue;
    const found = coveringRules(rules, { ...target, resource });
    if (found) return found;
  }
  return undefined;
}

/** True if the matching rules include the name of the request's object. */
export function isNamed({ rules, exceptions }: Match, { name }: AdmissionRequest): boolean {
  const wants = ({ names }: Rule) => names.size === 0 || names.has(name);
  return rules.some(wants) && !exceptions.some(wants);
}

function coveringRules({ rules, exceptions }: Rules, target: Target): Match | undefined {
  const covering = rules.filter((each) => covers(each, target));
  if (covering.length === 0) return undefined;
  return {
    resource: target.resource,
    rules: covering,
    exceptions: exceptions.filter((each) => covers(each, target)),
  };
}
