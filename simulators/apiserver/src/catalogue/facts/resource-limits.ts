import { arrayAt, recordAt, textAt, textsAt, valueAt } from "../../json/access.ts";
import { required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { qualifiedName } from "../names.ts";
import { formatQuantity, parseQuantity } from "../quantity.ts";
import { resourceListAt } from "../resource-list.ts";
import {
  containerResourceFault,
  isIntegerResource,
  isOvercommittable,
  isQuotaResource,
  resourceNameFault,
} from "../resource-names.ts";
import type { Fields, GroupFacts } from "./group-facts.ts";

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);
const whole = 10n ** 9n;

/**
 * LimitRanges and ResourceQuotas. Facts: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go (ValidateLimitRange, ValidateResourceQuota).
 */
export const resourceLimitFacts: GroupFacts = {
  defaults: `
core.v1.ResourceQuota status={}
`,
  derived: { "core.v1.LimitRangeItem": withLimitDefaults },
  checks: {
    "core.v1.LimitRangeSpec": [["limits", distinctTypes]],
    "core.v1.LimitRangeItem": [
      ["type", required, limitType],
      ["", namesOfLimits],
      ["", limitsInOrder],
    ],
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
      const [scopes, before] = [quota, current].map((each) => new Set(textsAt(each, "spec", "scopes")));
      if (scopes && before && scopes.symmetricDifference(before).size > 0)
        findings.invalid(valueAt(quota, "spec", "scopes"), "field is immutable", "spec", "scopes");
    },
  },
};

/** Limits that are not given are the maximum, requests that are not given the limits, else the minimum. */
function withLimitDefaults(item: Fields): Fields {
  if (item.type !== "Container") return item;
  const limits = { ...recordAt(item.max), ...recordAt(item.default) };
  const requests = { ...recordAt(item.min), ...limits, ...recordAt(item.defaultRequest) };
  return {
    ...item,
    ...(Object.keys(limits).length > 0 ? { default: limits } : {}),
    ...(Object.keys(requests).length > 0 ? { defaultRequest: requests } : {}),
  };
}

function distinctTypes(limits: unknown, findings: Findings): void {
  const seen = new Set<string>();
  for (const [at, limit] of (Array.isArray(limits) ? limits : []).entries()) {
    const type = textAt(limit, "type");
    if (seen.has(type)) findings.duplicate(type, at, "type");
    seen.add(type);
  }
}

function limitType(type: unknown, findings: Findings): void {
  if (typeof type !== "string" || type === "") return;
  const why = qualifiedName(type);
  if (why) findings.invalid(type, why);
  else if (!type.includes("/") && !limitTypes.has(type))
    findings.invalid(type, "must be a standard limit type or fully qualified");
}

function namesOfLimits(item: unknown, findings: Findings): void {
  const type = textAt(item, "type");
  const members = type === "Pod" ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  for (const member of members) limitNames(item, member, findings);
  for (const member of type === "Pod" ? ["default", "defaultRequest"] : []) {
    if (Object.keys(recordAt(item, member)).length > 0)
      findings.forbidden("may not be specified when `type` is 'Pod'", member);
  }
  const bounds = { ...recordAt(item, "min"), ...recordAt(item, "max") };
  if (type === "PersistentVolumeClaim" && !Object.hasOwn(bounds, "storage"))
    findings.required(
      "either minimum or maximum storage value is required, but neither was provided",
      "limits",
    );
  limitNames(item, "maxLimitRequestRatio", findings);
}

function limitNames(item: unknown, member: string, findings: Findings): void {
  const ofContainers = ["Pod", "Container"].includes(textAt(item, "type"));
  for (const name of Object.keys(recordAt(item, member))) {
    const why = resourceNameFault(name);
    if (why) findings.invalid(name, why, member, `[${name}]`);
    const inContainer = ofContainers ? containerResourceFault(name) : undefined;
    if (inContainer) findings.invalid(name, inContainer, member, `[${name}]`);
  }
}

function limitsInOrder(item: unknown, findings: Findings): void {
  const of = (member: string) => resourceListAt(item, member);
  const [most, least, ratios] = [of("max"), of("min"), of("maxLimitRequestRatio")];
  const ofPod = textAt(item, "type") === "Pod";
  const [limits, requests] = ofPod ? [new Map(), new Map()] : [of("default"), of("defaultRequest")];
  const names = [most, least, limits, requests, ratios].flatMap((list) => [...list.keys()]);
  for (const name of new Set(names)) {
    const values = {
      min: least.get(name),
      max: most.get(name),
      "default request": requests.get(name),
      default: limits.get(name),
    };
    const ordered = (
      lower: keyof typeof values,
      upper: keyof typeof values,
      member: string,
      shown: keyof typeof values,
      upperName: string = upper,
    ): void => {
      const [low, high, value] = [values[lower], values[upper], values[shown]];
      if (!low || !high || !value || low.nano <= high.nano) return;
      const why = `${lower} value ${formatQuantity(low)} is greater than ${upperName} value ${formatQuantity(high)}`;
      findings.invalid(formatQuantity(value), why, member, `[${name}]`);
    };
    ordered("min", "max", "min", "min");
    ordered("min", "default request", "defaultRequest", "default request");
    ordered("default request", "max", "defaultRequest", "default request");
    ordered("default request", "default", "defaultRequest", "default request", "default limit");
    ordered("min", "default", "default", "min");
    ordered("default", "max", "default", "max");
    const ratio = ratios.get(name);
    const { min, max, default: limit, "default request": request } = values;
    if (ratio && ratio.nano < whole) {
      const text = formatQuantity(ratio);
      findings.invalid(text, `ratio ${text} is less than 1`, "maxLimitRequestRatio", `[${name}]`);
    }
    if (ratio && min && max && ratio.nano * min.nano > max.nano * whole) {
      const possible = (Number(max.nano) / Number(min.nano)).toFixed(6);
      const text = formatQuantity(ratio);
      const why = `ratio ${text} is greater than max/min = ${possible}`;
      findings.invalid(text, why, "maxLimitRequestRatio", `[${name}]`);
    }
    if (!isOvercommittable(name) && limit && request && limit.nano !== request.nano) {
      const [one, other] = [formatQuantity(limit), formatQuantity(request)];
      const why = `default value ${one} must equal to defaultRequest value ${other} in ${name}`;
      findings.invalid(other, why, "defaultRequest", `[${name}]`);
    }
  }
}

function quotaAmounts(amounts: unknown, findings: Findings): void {
  for (const [name, text] of Object.entries(recordAt(amounts))) {
    const at = `[${name}]`;
    const form = qualifiedName(name);
    if (form) findings.invalid(name, form, at);
    else if (!name.includes("/") && !isQuotaResource(name)) {
      // Both rules that a name can break are reported, as by kube-apiserver.
      if (name !== "storage")
        findings.invalid(name, "must be a standard resource type or fully qualified", at);
      findings.invalid(name, "must be a standard resource for quota", at);
    }
    const amount = parseQuantity(String(text));
    if (!amount) continue;
    if (amount.nano < 0n) findings.invalid(text, "must be greater than or equal to 0", at);
    if (isIntegerResource(name) && amount.nano % whole !== 0n)
      findings.invalid(text, "must be an integer", at);
  }
}

const podAmounts: ReadonlySet<string> = new Set([
  "pods",
  ...["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** What quotas of a scope may limit. */
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

function scopesOfQuota(spec: unknown, findings: Findings): void {
  const limited = Object.keys(recordAt(spec, "hard")).filter(isQuotaResource).sort();
  const named = textsAt(spec, "scopes");
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
  const expressions = arrayAt(spec, ...path);
  for (const expression of expressions) {
    const [scope, operator] = [textAt(expression, "scopeName"), textAt(expression, "operator")];
    const values = textsAt(expression, "values");
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
    expressions.map((each) => textAt(each, "scopeName")),
    ...path,
  );
}
