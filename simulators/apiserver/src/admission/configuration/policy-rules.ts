import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { isIdentifier } from "@keelson/cel";
import type { Strategy } from "@keelson/kinds";
import { expressionCauses } from "./expression-causes.ts";
import { oneOf } from "./one-of.ts";
import { policyOf } from "./policy.ts";
import { compilePolicy } from "./policy-expressions.ts";
import { withScopes } from "./rule-scopes.ts";

const resourceMembers = ["resourceRules", "excludeResourceRules"];
const reasons = ["Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"];

/** Defaults and validation of ValidatingAdmissionPolicies. */
export const policyRules: Strategy = {
  generation: {},
  requiresResourceVersion: true,
  applyDefaults: (policy) => {
    const spec = objectAt(policy, "spec");
    return {
      ...policy,
      spec: {
        failurePolicy: "Fail",
        ...spec,
        ...(spec.matchConstraints
          ? { matchConstraints: withMatchDefaults(objectAt(spec, "matchConstraints")) }
          : {}),
      },
    };
  },
  validate: validatePolicy,
};

/** Defaults and validation of ValidatingAdmissionPolicyBindings. */
export const bindingRules: Strategy = {
  generation: {},
  requiresResourceVersion: true,
  applyDefaults: (binding) => {
    const spec = objectAt(binding, "spec");
    if (!spec.matchResources) return binding;
    return {
      ...binding,
      spec: { ...spec, matchResources: withMatchDefaults(objectAt(spec, "matchResources")) },
    };
  },
  validate: validateBinding,
};

function withMatchDefaults(resources: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members = resourceMembers
    .filter((name) => resources[name])
    .map((name) => [name, withScopes(listAt(resources, name))] as const);
  return {
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    ...resources,
    ...Object.fromEntries(members),
  };
}

function validatePolicy(policy: KubeObject): readonly StatusCause[] {
  const spec = objectAt(policy, "spec");
  const compiled = compilePolicy(policyOf(policy));
  const causes: StatusCause[] = [];
  if (!spec.matchConstraints) causes.push(fieldError.required("spec.matchConstraints"));
  else if (listAt(spec, "matchConstraints", "resourceRules").length === 0) {
    causes.push(fieldError.required("spec.matchConstraints.resourceRules"));
  }
  if (compiled.validations.length + compiled.auditAnnotations.length === 0) {
    const why = "validations or auditAnnotations must contain at least one item";
    causes.push(
      fieldError.required("spec.validations", why),
      fieldError.required("spec.auditAnnotations", why),
    );
  }
  const { paramKind } = compiled.policy;
  if (paramKind && !paramKind.apiVersion) causes.push(fieldError.required("spec.paramKind.apiVersion"));
  if (paramKind && !paramKind.kind) causes.push(fieldError.required("spec.paramKind.kind"));
  return [
    ...causes,
    ...oneOf(spec, "spec", "failurePolicy", ["Fail", "Ignore"]),
    ...compiled.conditions.expressions.flatMap((each, at) =>
      expressionCauses(each, `spec.matchConditions[${at}].expression`),
    ),
    ...compiled.variables.flatMap(({ name, expression }, at) => [
      ...(isIdentifier(name)
        ? []
        : [fieldError.invalid(`spec.variables[${at}].name`, name, "must be a valid CEL identifier")]),
      ...expressionCauses(expression, `spec.variables[${at}].expression`),
    ]),
    ...compiled.validations.flatMap(({ test, text }, at) => [
      ...expressionCauses(test, `spec.validations[${at}].expression`),
      ...(text ? expressionCauses(text, `spec.validations[${at}].messageExpression`) : []),
      ...oneOf(listAt(spec, "validations")[at], `spec.validations[${at}]`, "reason", reasons),
    ]),
    ...compiled.auditAnnotations.flatMap(({ value }, at) =>
      expressionCauses(value, `spec.auditAnnotations[${at}].valueExpression`),
    ),
  ];
}

function validateBinding(binding: KubeObject): readonly StatusCause[] {
  const spec = objectAt(binding, "spec");
  const actions = stringsAt(spec, "validationActions");
  const causes: StatusCause[] = [];
  if (!scalarStringAt(spec, "policyName")) causes.push(fieldError.required("spec.policyName"));
  if (actions.length === 0)
    causes.push(fieldError.required("spec.validationActions", "at least one validation action is required"));
  for (const [at, action] of actions.entries()) {
    const field = `spec.validationActions[${at}]`;
    if (!["Audit", "Deny", "Warn"].includes(action)) {
      causes.push(fieldError.notSupported(field, action, ["Audit", "Deny", "Warn"]));
    }
    if (actions.indexOf(action) < at) causes.push(fieldError.duplicate(field, action));
  }
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response " +
      "and headers serves no purpose)";
    causes.push(fieldError.invalid("spec.validationActions", actions, why));
  }
  return [...causes, ...validateParamRef(valueAt(spec, "paramRef"))];
}

function validateParamRef(paramRef: unknown): readonly StatusCause[] {
  if (paramRef === undefined) return [];
  const path = "spec.paramRef";
  const causes: StatusCause[] = [];
  const selector = valueAt(paramRef, "selector");
  if (!valueAt(paramRef, "parameterNotFoundAction")) {
    causes.push(fieldError.required(`${path}.parameterNotFoundAction`));
  }
  if (scalarStringAt(paramRef, "name") ? selector !== undefined : selector === undefined) {
    const why = "name and selector are mutually exclusive, and one of them must be set";
    causes.push(fieldError.forbidden(`${path}.name`, why));
  }
  return [...causes, ...oneOf(paramRef, path, "parameterNotFoundAction", ["Deny", "Allow"])];
}
