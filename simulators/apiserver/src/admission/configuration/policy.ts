import { type KubeObject, type LabelSelector, labelSelectorOf, scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
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
      ? { apiVersion: scalarStringAt(paramKind, "apiVersion"), kind: scalarStringAt(paramKind, "kind") }
      : undefined,
    matchConditions: matchConditionsOf(spec),
    variables: listAt(spec, "variables").map((each) => ({
      name: scalarStringAt(each, "name"),
      expression: scalarStringAt(each, "expression"),
    })),
    validations: listAt(spec, "validations").map((each) => ({
      expression: scalarStringAt(each, "expression"),
      message: scalarStringAt(each, "message"),
      messageExpression: scalarStringAt(each, "messageExpression"),
      reason: scalarStringAt(each, "reason"),
    })),
    auditAnnotations: listAt(spec, "auditAnnotations").map((each) => ({
      key: scalarStringAt(each, "key"),
      valueExpression: scalarStringAt(each, "valueExpression"),
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
    policyName: scalarStringAt(spec, "policyName"),
    actions: new Set(stringsAt(spec, "validationActions")),
    params: paramRef ? paramRefOf(paramRef) : undefined,
    rules: listAt(resources, "resourceRules").length > 0 ? rulesOf(resources) : undefined,
    selectors: parseSelectors(resources),
  };
}

function paramRefOf(value: unknown): ParamRef {
  const selector = valueAt(value, "selector");
  return {
    name: scalarStringAt(value, "name"),
    namespace: scalarStringAt(value, "namespace"),
    selector: selector === undefined ? undefined : labelSelectorOf(selector),
    deniesWhenAbsent: scalarStringAt(value, "parameterNotFoundAction") === "Deny",
  };
}

function rulesOf(value: unknown): Rules {
  return {
    rules: listAt(value, "resourceRules").map(parseRule),
    exceptions: listAt(value, "excludeResourceRules").map(parseRule),
    matchPolicy: matchPolicyOf(value),
  };
}
