import { formatQuantity, one, resourceListAt, scalarStringAt } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { qualifiedName } from "../../catalogue/names.ts";
import {
  containerResourceFault,
  isOvercommittable,
  resourceNameFault,
} from "../../catalogue/resource-names.ts";
import type { Fields } from "../../catalogue/type-facts.ts";
import type { Kind } from "../kind.ts";

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);

/**
 * Built-in kind LimitRange. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go (ValidateLimitRange).
 */
export const limitRange: Kind = {
  group: "",
  versions: ["v1"],
  kind: "LimitRange",
  plural: "limitranges",
  shortNames: ["limits"],
  namespaced: true,
  strategy: { createsOnUpdate: true },
  types: {
    derived: {
      "core.v1.LimitRangeItem": withLimitDefaults,
    },
    checks: {
      "core.v1.LimitRangeSpec": [["limits", distinctTypes]],
      "core.v1.LimitRangeItem": [
        ["type", required, limitType],
        ["", namesOfLimits],
        ["", limitsInOrder],
      ],
    },
    protobuf: `
core.v1.LimitRange metadata=1 spec=2
core.v1.LimitRangeItem type=1* max=2 min=3 default=4 defaultRequest=5 maxLimitRequestRatio=6
core.v1.LimitRangeSpec limits=1
`,
  },
};

/**
 * Completes the limits of each resource. A missing `default` becomes `max`. A missing `defaultRequest` becomes `default`, or
 * `min` if `default` is missing too.
 */
function withLimitDefaults(item: Fields): Fields {
  if (item.type !== "Container") return item;
  const limits = { ...objectAt(item.max), ...objectAt(item.default) };
  const requests = { ...objectAt(item.min), ...limits, ...objectAt(item.defaultRequest) };
  return {
    ...item,
    ...(Object.keys(limits).length > 0 ? { default: limits } : {}),
    ...(Object.keys(requests).length > 0 ? { defaultRequest: requests } : {}),
  };
}

function distinctTypes(limits: unknown, findings: Findings): void {
  const seen = new Set<string>();
  for (const [at, limit] of (Array.isArray(limits) ? limits : []).entries()) {
    const type = scalarStringAt(limit, "type");
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
  const type = scalarStringAt(item, "type");
  const members = type === "Pod" ? ["max", "min"] : ["max", "min", "default", "defaultRequest"];
  for (const member of members) limitNames(item, member, findings);
  for (const member of type === "Pod" ? ["default", "defaultRequest"] : []) {
    if (Object.keys(objectAt(item, member)).length > 0)
      findings.forbidden("may not be specified when `type` is 'Pod'", member);
  }
  const bounds = { ...objectAt(item, "min"), ...objectAt(item, "max") };
  if (type === "PersistentVolumeClaim" && !Object.hasOwn(bounds, "storage"))
    findings.required(
      "either minimum or maximum storage value is required, but neither was provided",
      "limits",
    );
  limitNames(item, "maxLimitRequestRatio", findings);
}

function limitNames(item: unknown, member: string, findings: Findings): void {
  const ofContainers = ["Pod", "Container"].includes(scalarStringAt(item, "type"));
  for (const name of Object.keys(objectAt(item, member))) {
    const why = resourceNameFault(name);
    if (why) findings.invalid(name, why, member, `[${name}]`);
    const inContainer = ofContainers ? containerResourceFault(name) : undefined;
    if (inContainer) findings.invalid(name, inContainer, member, `[${name}]`);
  }
}

function limitsInOrder(item: unknown, findings: Findings): void {
  const of = (member: string) => resourceListAt(item, member);
  const [most, least, ratios] = [of("max"), of("min"), of("maxLimitRequestRatio")];
  const ofPod = scalarStringAt(item, "type") === "Pod";
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
    if (ratio && ratio.nano < one) {
      const text = formatQuantity(ratio);
      findings.invalid(text, `ratio ${text} is less than 1`, "maxLimitRequestRatio", `[${name}]`);
    }
    if (ratio && min && max && ratio.nano * min.nano > max.nano * one) {
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
