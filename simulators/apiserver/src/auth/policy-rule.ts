import { textsAt } from "@keelson/apimachinery";
import type { Attributes } from "./attributes.ts";

/** One rule of a role (rbac.authorization.k8s.io/v1 PolicyRule). */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export function parseRule(rule: unknown): PolicyRule {
  return {
    verbs: textsAt(rule, "verbs"),
    apiGroups: textsAt(rule, "apiGroups"),
    resources: textsAt(rule, "resources"),
    resourceNames: textsAt(rule, "resourceNames"),
    nonResourceURLs: textsAt(rule, "nonResourceURLs"),
  };
}

/** How many entries a rule has: what comparing it with a right takes. */
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

/** Whether a list names a resource, which may be `pods/log`: so do `*` and a subresource of all, as in the last part of it. */
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
