import { arrayAt, recordAt, textAt, textsAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { type Conditions, conditionsOf } from "./match-conditions.ts";
import { parseRule } from "./rule.ts";
import { parseSelectors, type Selectors } from "./selectors.ts";
import type { Rules } from "./subject-version.ts";

/** One webhook of a configuration (admissionregistration.k8s.io/v1 MutatingWebhook, ValidatingWebhook). */
export interface Webhook {
  readonly name: string;
  readonly configuration: string;
  readonly clientConfig: Readonly<Record<string, unknown>>;
  readonly rules: Rules;
  readonly selectors: Selectors;
  readonly conditions: Conditions;
  readonly failurePolicy: FailurePolicy;
  readonly timeoutSeconds: number;
  readonly reinvoked: boolean;
  readonly reviewVersions: readonly string[];
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** What happens to a request when a hook could not be asked: it is refused, or goes on. */
export type FailurePolicy = "Fail" | "Ignore";

const defaultTimeoutSeconds = 10;

/** The webhooks of a configuration, in their order. */
export function webhooksOf(configuration: KubeObject): readonly Webhook[] {
  return arrayAt(configuration, "webhooks").map((each) => ({
    name: textAt(each, "name"),
    configuration: configuration.metadata.name,
    clientConfig: recordAt(each, "clientConfig"),
    rules: {
      rules: arrayAt(each, "rules").map(parseRule),
      exceptions: [],
      matchPolicy: matchPolicyOf(each),
    },
    selectors: parseSelectors(each),
    conditions: conditionsOf(matchConditionsOf(each), failurePolicyOf(each)),
    failurePolicy: failurePolicyOf(each),
    timeoutSeconds: Number(textAt(each, "timeoutSeconds") || defaultTimeoutSeconds),
    reinvoked: textAt(each, "reinvocationPolicy") === "IfNeeded",
    reviewVersions: textsAt(each, "admissionReviewVersions"),
  }));
}

export function matchPolicyOf(value: unknown): "Exact" | "Equivalent" {
  return textAt(value, "matchPolicy") === "Exact" ? "Exact" : "Equivalent";
}

export function failurePolicyOf(value: unknown): FailurePolicy {
  return textAt(value, "failurePolicy") === "Ignore" ? "Ignore" : "Fail";
}

export function matchConditionsOf(value: unknown): readonly MatchCondition[] {
  return arrayAt(value, "matchConditions").map((each) => ({
    name: textAt(each, "name"),
    expression: textAt(each, "expression"),
  }));
}
