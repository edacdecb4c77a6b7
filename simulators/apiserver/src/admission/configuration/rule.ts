import { scalarStringAt } from "@keelson/apimachinery";
import { stringsAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { ServedResource } from "../../resources/served-resource.ts";

/** Rule of a webhook or policy (admissionregistration.k8s.io/v1 RuleWithOperations). `*` matches all values. */
export interface Rule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  /** Pairs of resource and subresource. An empty subresource is the main resource. */
  readonly resources: readonly (readonly [resource: string, subresource: string])[];
  readonly scope: string;
  /** Object names that the rule matches. An empty set matches all names. Only the rules of policies have names. */
  readonly names: ReadonlySet<string>;
}

/** Request properties that are known before the objects are parsed. */
export interface Target {
  readonly operation: AdmissionRequest["operation"];
  readonly resource: ServedResource;
  readonly subresource: string;
}

export function parseRule(rule: unknown): Rule {
  return {
    operations: new Set(stringsAt(rule, "operations")),
    groups: new Set(stringsAt(rule, "apiGroups")),
    versions: new Set(stringsAt(rule, "apiVersions")),
    resources: stringsAt(rule, "resources").map((each): [string, string] => {
      const [resource = "", subresource = ""] = each.split("/");
      return [resource, subresource];
    }),
    scope: scalarStringAt(rule, "scope") || "*",
    names: new Set(stringsAt(rule, "resourceNames")),
  };
}

/** True if a rule matches a target. Object names are not compared. */
export function covers(rule: Rule, { operation, resource: { type }, subresource }: Target): boolean {
  return (
    includes(rule.operations, operation) &&
    includes(rule.groups, type.group) &&
    includes(rule.versions, type.version) &&
    (rule.scope === "*" || (rule.scope === "Namespaced") === type.namespaced) &&
    rule.resources.some(
      ([plural, part]) =>
        (plural === "*" || plural === type.plural) && (part === "*" || part === subresource),
    )
  );
}

function includes(known: ReadonlySet<string>, wanted: string): boolean {
  return known.has("*") || known.has(wanted);
}
