import { stringsAt } from "@keelson/base";
import type { Attributes } from "./attributes.ts";

/** Rule of a role (rbac.authorization.k8s.io/v1 PolicyRule). */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export function parseRule(rule: unknown): PolicyRule {
  return {
    verbs: stringsAt(rule, "verbs"),
    apiGroups: stringsAt(rule, "apiGroups"),
    resources: stringsAt(rule, "resources"),
    resourceNames: stringsAt(rule, "resourceNames"),
    nonResourceURLs: stringsAt(rule, "nonResourceURLs"),
  };
}

/** Returns the number of entries in a rule, which is the cost of matching a request with the rule. */
export function sizeOf(rule: PolicyRule): number {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  return verbs.length + apiGroups.length + resources.length + resourceNames.length + nonResourceURLs.length;
}

export function grants(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === "path") {
    return rule.nonResourceURLs.some((pattern) => matchesPath(pattern, attributes.path));
  }
  return (
    has(rule.apiGroups, attributes.group) &&
    hasResource(rule.resources, attributes.resource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/**
 * True if a list contains a resource, such as `pods/log`. `*` matches all resources. `*` with a subresource matches that
 * subresource of all resources.
 */
export function hasResource(list: readonly string[], resource: string): boolean {
  if (has(list, resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && list.includes(`*${resource.slice(slash)}`);
}

export function matchesPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, "")));
}

function has(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}
