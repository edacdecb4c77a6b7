import {
  arrayAt,
  type KubeObject,
  type LabelSelector,
  labelSelectorOf,
  textAt,
  textsAt,
  valueAt,
} from "@keelson/apimachinery";
import {
  type FailurePolicy,
  failurePolicyOf,
  type MatchCondition,
  matchConditionsOf,
} from "./match-conditions.ts";
import { parseRule } from "./rule.ts";
import { parseSelectors, type Selectors } from "./selectors.ts";
import type { Rules } from "./subject-version.ts";
import { matchPolicyOf } from "./webhook.ts";

/** A ValidatingAdmissionPolicy (admissionregistration.k8s.io/v1) with its expressions as strings. */
export interface Policy extends PolicyExpressions {
  readonly rules: Rules;
  readonly selectors: Selectors;
}

/** Expressions and evaluation settings of a policy, as JSON. */
export interface PolicyExpressions {
  readonly name: string;
  readonly failurePolicy: FailurePolicy;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly matchConditions: readonly MatchCondition[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly valueExpression: string }[];
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  /** An empty string means `Invalid`. */
  readonly reason: string;
}

/** A ValidatingAdmissionPolicyBinding. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly actions: ReadonlySet<string>;
  readonly params: ParamRef | undefined;
  /** Rules of the binding, which restrict the policy's rules. Undefined if the binding has only selectors. */
  readonly rules: Rules | undefined;
  readonly selectors: Selectors;
}

/** Reference from a binding to its parameters: one object by name, or all objects that match a label selector. */
interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: LabelSelector | undefined;
  readonly deniesWhenAbsent: boolean;
}

export function policyOf(policy: KubeObject): Policy {
  const spec = valueAt(policy, "spec");
  const constraints = valueAt(spec, "matchConstraints");
  const paramKind = valueAt(spec, "paramKind");
  return {
    name: policy.metadata.name,
    failurePolicy: failurePolicyOf(spec),
    rules: rulesOf(constraints),
    selectors: parseSelectors(constraints),
    paramKind: paramKind
      ? { apiVersion: textAt(paramKind, "apiVersion"), kind: textAt(paramKind, "kind") }
      : undefined,
    matchConditions: matchConditionsOf(spec),
    variables: arrayAt(spec, "variables").map((each) => ({
      name: textAt(each, "name"),
      expression: textAt(each, "expression"),
    })),
    validations: arrayAt(spec, "validations").map((each) => ({
      expression: textAt(each, "expression"),
      message: textAt(each, "message"),
      messageExpression: textAt(each, "messageExpression"),
      reason: textAt(each, "reason"),
    })),
    auditAnnotations: arrayAt(spec, "auditAnnotations").map((each) => ({
      key: textAt(each, "key"),
      valueExpression: textAt(each, "valueExpression"),
    })),
  };
}

export function expressionsOf({
  name,
  failurePolicy,
  paramKind,
  matchConditions,
  variables,
  validations,
  auditAnnotations,
}: PolicyExpressions): PolicyExpressions {
  return { name, failurePolicy, paramKind, matchConditions, variables, validations, auditAnnotations };
}

export function bindingOf(binding: KubeObject): Binding {
  const spec = valueAt(binding, "spec");
  const resources = valueAt(spec, "matchResources");
  const paramRef = valueAt(spec, "paramRef");
  return {
    name: binding.metadata.name,
    policyName: textAt(spec, "policyName"),
    actions: new Set(textsAt(spec, "validationActions")),
    params: paramRef ? paramRefOf(paramRef) : undefined,
    rules: arrayAt(resources, "resourceRules").length > 0 ? rulesOf(resources) : undefined,
    selectors: parseSelectors(resources),
  };
}

function paramRefOf(value: unknown): ParamRef {
  const selector = valueAt(value, "selector");
  return {
    name: textAt(value, "name"),
    namespace: textAt(value, "namespace"),
    selector: selector === undefined ? undefined : labelSelectorOf(selector),
    deniesWhenAbsent: textAt(value, "parameterNotFoundAction") === "Deny",
  };
}

function rulesOf(value: unknown): Rules {
  return {
    rules: arrayAt(value, "resourceRules").map(parseRule),
    exceptions: arrayAt(value, "excludeResourceRules").map(parseRule),
    matchPolicy: matchPolicyOf(value),
  };
}
