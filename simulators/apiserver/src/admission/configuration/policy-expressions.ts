import type { KubeObject } from "@keelson/apimachinery";
import { type CostBudget, celTypes, fromJson, type Result, type Type } from "@keelson/cel";
import { type Bindings, type Expression, expressionOf, lazyObject } from "./expression.ts";
import { type Conditions, conditionsOf } from "./match-conditions.ts";
import type { PolicyExpressions, Validation } from "./policy.ts";
import { namespaceType } from "./variable-types.ts";

/** Expression variables that depend only on the request. The policy's own variables are not included. */
export type RequestVariables = Readonly<Record<"object" | "oldObject" | "request" | "authorizer", Result>>;

/** Policy with compiled expressions. */
export interface CompiledPolicy<P extends PolicyExpressions = PolicyExpressions> {
  readonly policy: P;
  readonly conditions: Conditions;
  readonly variables: readonly { readonly name: string; readonly expression: Expression }[];
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly value: Expression }[];
}

export interface CompiledValidation extends Validation {
  readonly test: Expression;
  readonly text: Expression | undefined;
}

const variablesName = "kubernetes.variables";

export function compilePolicy<P extends PolicyExpressions>(policy: P): CompiledPolicy<P> {
  const known: Record<string, Type> = {
    namespaceObject: namespaceType,
    ...(policy.paramKind ? { params: celTypes.dyn } : {}),
  };
  const types: Record<string, Type> = {};
  const inScope = (): Readonly<Record<string, Type>> => {
    const sofar = { ...types };
    return {
      ...known,
      variables: celTypes.objectType(variablesName, (name) =>
        Object.hasOwn(sofar, name) ? sofar[name] : undefined,
      ),
    };
  };
  // A variable can reference variables that are defined before it.
  const variables = policy.variables.map(({ name, expression: source }) => {
    const expression = expressionOf(source, { variables: inScope() });
    types[name] = expression.resultType;
    return { name, expression };
  });
  const scope = inScope();
  return {
    policy,
    conditions: conditionsOf(policy.matchConditions, policy.failurePolicy, scope),
    variables,
    validations: policy.validations.map((each) => ({
      ...each,
      test: expressionOf(each.expression, { variables: scope, resultType: celTypes.bool }),
      text: each.messageExpression
        ? expressionOf(each.messageExpression, { variables: scope, resultType: celTypes.string })
        : undefined,
    })),
    auditAnnotations: policy.auditAnnotations.map(({ key, valueExpression }) => ({
      key,
      value: expressionOf(valueExpression, { variables: scope }),
    })),
  };
}

/** Returns the variables of a policy's expressions: the request's variables and the policy's own. */
export function policyBindings(
  { policy, variables }: CompiledPolicy,
  request: RequestVariables,
  params: KubeObject | undefined,
  namespace: KubeObject | undefined,
  budget: CostBudget,
): Bindings {
  const bindings: Bindings = {
    ...request,
    namespaceObject: fromJson(namespace ? shownNamespace(namespace) : null),
    ...(policy.paramKind ? { params: fromJson(params ?? null) } : {}),
    // The fields are evaluated lazily, because `bindings` is not complete yet.
    variables: lazyObject(
      variablesName,
      Object.fromEntries(
        variables.map(({ name, expression }) => [name, () => expression.evaluate(bindings, budget)]),
      ),
    ),
  };
  return bindings;
}

/** Returns the documented fields of a namespace. Policies cannot read other fields. */
function shownNamespace({ metadata, spec, status }: KubeObject): object {
  const { managedFields: _managers, ownerReferences: _owners, ...shown } = metadata;
  return { metadata: shown, ...(spec ? { spec } : {}), ...(status ? { status } : {}) };
}
