import type { KubeResource } from "@keelson/kube";
import { resources } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";

const policies = resources.validatingAdmissionPolicies;
const bindings = resources.validatingAdmissionPolicyBindings;

export type ValidationAction = "Deny" | "Warn" | "Audit";

interface ResourceRule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE")[];
}

/** ValidatingAdmissionPolicy. All its expressions are in CEL. */
export interface AdmissionPolicy {
  readonly name: string;
  /** Result for requests that the policy cannot evaluate. */
  readonly failurePolicy: "Fail" | "Ignore";
  readonly rules: readonly ResourceRule[];
  /** Namespace of the matched objects. Default: all namespaces. */
  readonly namespace?: string;
  /** CEL conditions by name. The policy applies only to requests that meet all of them. */
  readonly matchConditions: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** CEL expression that is true for allowed requests. */
  readonly expression: string;
  /** Message for users. If `messageExpression` is set, `message` is used only when the evaluation of the expression fails. */
  readonly message: string;
  readonly messageExpression?: string;
}

interface Managed {
  readonly resource: KubeResource;
  readonly object: WantedObject;
}

/** Selector that matches every object, independent of labels. */
const all = { matchExpressions: null, matchLabels: null };

/**
 * Returns the policy and the binding that enforces it. Optional fields that would narrow the policy or the binding are null. Each
 * null requests that the field be absent.
 */
export function policyObjects(policy: AdmissionPolicy, action: ValidationAction): readonly Managed[] {
  const { name, failurePolicy, rules, namespace, matchConditions, variables = {} } = policy;
  const within = [{ key: "kubernetes.io/metadata.name", operator: "In", values: [namespace] }];
  return [
    {
      resource: policies,
      object: {
        metadata: { name },
        spec: {
          failurePolicy,
          matchConstraints: {
            matchPolicy: "Equivalent",
            namespaceSelector: namespace === undefined ? all : { ...all, matchExpressions: within },
            objectSelector: all,
            resourceRules: rules.map(({ group, resources, operations }) => ({
              apiGroups: [group],
              apiVersions: ["*"],
              operations,
              resources,
              resourceNames: null,
              scope: "*",
            })),
            excludeResourceRules: null,
          },
          matchConditions: namedExpressions(matchConditions),
          variables: namedExpressions(variables),
          validations: [
            {
              expression: policy.expression,
              message: policy.message,
              messageExpression: policy.messageExpression ?? null,
              reason: null,
            },
          ],
          paramKind: null,
        },
      },
    },
    {
      resource: bindings,
      object: {
        metadata: { name: bindingName(name) },
        spec: { policyName: name, validationActions: [action], matchResources: null, paramRef: null },
      },
    },
  ];
}

function namedExpressions(expressions: Readonly<Record<string, string>>): readonly object[] | null {
  const list = Object.entries(expressions).map(([name, expression]) => ({ name, expression }));
  return list.length > 0 ? list : null;
}

export function bindingName(policyName: string): string {
  return `${policyName}-binding`;
}
