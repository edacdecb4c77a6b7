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

/** A ValidatingAdmissionPolicy, its expressions in CEL. */
export interface AdmissionPolicy {
  readonly name: string;
  /** Handling of requests that the policy cannot evaluate. */
  readonly failurePolicy: "Fail" | "Ignore";
  readonly rules: readonly ResourceRule[];
  /** Namespace of the matched objects. Default: all namespaces. */
  readonly namespace?: string;
  /** Conditions that a request must meet for the policy to apply. */
  readonly matchConditions: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** True for allowed requests. */
  readonly expression: string;
  /** Message for users. If `messageExpression` is set, it is the fallback for a failed evaluation. */
  readonly message: string;
  readonly messageExpression?: string;
}

interface Managed {
  readonly resource: KubeResource;
  readonly object: WantedObject;
}

/** Selects every object, with any labels. */
const all = { matchExpressions: null, matchLabels: null };

/**
 * The policy and the binding that enforces it. Additional fields that would narrow either of them must be
 * absent.
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
