import { textAt, textsAt } from "@keelson/apimachinery";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import type { ServedResource } from "../../resources/served-resource.ts";

/** Rule of a hook (admissionregistration.k8s.io/v1 RuleWithOperations). `*` matches all values. */
export interface Rule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  /** Resource and subresource. The subresource of the object itself is an empty string. */
  readonly resources: readonly (readonly [resource: string, subresource: string])[];
  readonly scope: string;
  /** Object names, in policies only. An empty set matches all names. */
  readonly names: ReadonlySet<string>;
}

/** Properties of a request that are known before its objects are parsed. */
export interface Target {
  readonly operation: AdmissionRequest["operation"];
  readonly resource: ServedResource;
  readonly subresource: string;
}

export function parseRule(rule: unknown): Rule {
  return {
    operations: new Set(textsAt(rule, "operations")),
    groups: new Set(textsAt(rule, "apiGroups")),
    versions: new Set(textsAt(rule, "apiVersions")),
    resources: textsAt(rule, "resources").map((each): [string, string] => {
      const [resource = "", subresource = ""] = each.split("/");
      return [resource, subresource];
    }),
    scope: textAt(rule, "scope") || "*",
    names: new Set(textsAt(rule, "resourceNames")),
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
