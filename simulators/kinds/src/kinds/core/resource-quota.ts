import { one, parseQuantity, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import type { Findings } from "../../catalogue/findings.ts";
import { qualifiedName } from "../../catalogue/names.ts";
import { isIntegerResource, isQuotaResource } from "../../catalogue/resource-names.ts";
import { ageColumn, nameColumn, text } from "../../columns/column.ts";
import { textMapAt } from "../../columns/read.ts";
import type { Kind } from "../kind.ts";

const podAmounts: ReadonlySet<string> = new Set([
  "pods",
  ...["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Resources that a quota may limit, by the quota's scope. */
const scopes: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Terminating", podAmounts],
  ["NotTerminating", podAmounts],
  ["NotBestEffort", podAmounts],
  ["PriorityClass", podAmounts],
  ["CrossNamespacePodAffinity", podAmounts],
  ["BestEffort", new Set(["pods"])],
  ["VolumeAttributesClass", new Set(["persistentvolumeclaims", "requests.storage"])],
]);
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;
const onlyExist: ReadonlySet<string> = new Set([...opposites.flat(), "CrossNamespacePodAffinity"]);

/**
 * Built-in kind ResourceQuota. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go (ValidateResourceQuota).
 */
export const resourceQuota: Kind = {
  group: "",
  versions: ["v1"],
  kind: "ResourceQuota",
  plural: "resourcequotas",
  shortNames: ["quota"],
  namespaced: true,
  subresources: { status: {} },
  strategy: { returnsDeleted: true },
  columns: [
    nameColumn,
    text("Request", (quota) => quotaText(quota, false)),
    text("Limit", (quota) => quotaText(quota, true)),
    ageColumn,
  ],
  quota: "named",
  types: {
    defaults: `
core.v1.ResourceQuota status={}
`,
    checks: {
      "core.v1.ResourceQuotaSpec": [
        ["hard", quotaAmounts],
        ["", scopesOfQuota],
      ],
      "core.v1.ResourceQuotaStatus": [
        ["hard", quotaAmounts],
        ["used", quotaAmounts],
      ],
    },
    changes: {
      "core.v1.ResourceQuota": (quota, current, findings) => {
        const [scopes, before] = [quota, current].map((each) => new Set(stringsAt(each, "spec", "scopes")));
        if (scopes && before && scopes.symmetricDifference(before).size > 0)
          findings.invalid(valueAt(quota, "spec", "scopes"), "field is immutable", "spec", "scopes");
      },
    },
    ownership: `
core.v1.ScopeSelector =!
`,
    protobuf: `
core.v1.ResourceQuota metadata=1 spec=2 status=3
core.v1.ResourceQuotaSpec hard=1 scopes=2 scopeSelector=3
core.v1.ResourceQuotaStatus hard=1 used=2
core.v1.ScopeSelector matchExpressions=1
core.v1.ScopedResourceSelectorRequirement scopeName=1* operator=2* values=3
`,
    enums: `
core.v1.ResourceQuotaSpec.scopes BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass
core.v1.ScopedResourceSelectorRequirement.operator DoesNotExist|Exists|In|NotIn
core.v1.ScopedResourceSelectorRequirement.scopeName BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass
`,
  },
};

function quotaText(quota: unknown, limits: boolean): string {
  return textMapAt(quota, "status", "hard")
    .filter(([resource]) => resource.startsWith("limits") === limits)
    .map(
      ([resource, hard]) =>
        `${resource}: ${scalarStringAt(quota, "status", "used", resource) || "0"}/${hard}`,
    )
    .join(", ");
}

function quotaAmounts(amounts: unknown, findings: Findings): void {
  for (const [name, text] of Object.entries(objectAt(amounts))) {
    const at = `[${name}]`;
    const form = qualifiedName(name);
    if (form) findings.invalid(name, form, at);
    else if (!name.includes("/") && !isQuotaResource(name)) {
      // kube-apiserver reports both of these errors for a name that is not a standard resource.
      if (name !== "storage")
        findings.invalid(name, "must be a standard resource type or fully qualified", at);
      findings.invalid(name, "must be a standard resource for quota", at);
    }
    const amount = parseQuantity(String(text));
    if (!amount) continue;
    if (amount.nano < 0n) findings.invalid(text, "must be greater than or equal to 0", at);
    if (isIntegerResource(name) && amount.nano % one !== 0n) findings.invalid(text, "must be an integer", at);
  }
}

function scopesOfQuota(spec: unknown, findings: Findings): void {
  const limited = Object.keys(objectAt(spec, "hard")).filter(isQuotaResource).sort();
  const named = stringsAt(spec, "scopes");
  const checkScope = (scope: string, unsupported: () => void, unfit: () => void): void => {
    const fitting = scopes.get(scope);
    if (!fitting) unsupported();
    for (const name of limited) if (fitting && !fitting.has(name)) unfit();
  };
  const conflicting = (used: readonly string[], ...path: readonly string[]): void => {
    for (const [one, other] of opposites)
      if (used.includes(one) && used.includes(other))
        findings.invalid(valueAt(spec, "scopes"), "conflicting scopes", ...path);
  };
  for (const scope of named)
    checkScope(
      scope,
      () => findings.invalid(named, "unsupported scope", "scopes"),
      () => findings.invalid(named, "unsupported scope applied to resource", "scopes"),
    );
  conflicting(named, "scopes");
  const path = ["scopeSelector", "matchExpressions"] as const;
  const expressions = listAt(spec, ...path);
  for (const expression of expressions) {
    const [scope, operator] = [
      scalarStringAt(expression, "scopeName"),
      scalarStringAt(expression, "operator"),
    ];
    const values = stringsAt(expression, "values");
    checkScope(
      scope,
      () => findings.invalid(scope, "unsupported scope", ...path, "scopeName"),
      () =>
        findings.invalid(valueAt(spec, "scopeSelector"), "unsupported scope applied to resource", ...path),
    );
    if (onlyExist.has(scope) && operator !== "Exists")
      findings.invalid(
        operator,
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
        ...path,
        "operator",
      );
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0)
        findings.required(
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ...path,
          "values",
        );
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0)
        findings.invalid(
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ...path,
          "values",
        );
    } else findings.invalid(operator, "not a valid selector operator", ...path, "operator");
  }
  conflicting(
    expressions.map((each) => scalarStringAt(each, "scopeName")),
    ...path,
  );
}
