import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt } from "@keelson/base";
import {
  type Conditions,
  conditionsOf,
  type FailurePolicy,
  failurePolicyOf,
  matchConditionsOf,
} from "./match-conditions.ts";
import { parseRule } from "./rule.ts";
import { parseSelectors, type Selectors } from "./selectors.ts";
import type { Rules } from "./subject-version.ts";

/** Webhook of a configuration (admissionregistration.k8s.io/v1 MutatingWebhook, ValidatingWebhook). */
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

const defaultTimeoutSeconds = 10;

/** Returns the webhooks of a configuration in their order. */
export function webhooksOf(configuration: KubeObject): readonly Webhook[] {
  return listAt(configuration, "webhooks").map((each) => ({
    name: scalarStringAt(each, "name"),
    configuration: configuration.metadata.name,
    clientConfig: objectAt(each, "clientConfig"),
    rules: {
      rules: listAt(each, "rules").map(parseRule),
      exceptions: [],
      matchPolicy: matchPolicyOf(each),
    },
    selectors: parseSelectors(each),
    conditions: conditionsOf(matchConditionsOf(each), failurePolicyOf(each)),
    failurePolicy: failurePolicyOf(each),
    timeoutSeconds: Number(scalarStringAt(each, "timeoutSeconds") || defaultTimeoutSeconds),
    reinvoked: scalarStringAt(each, "reinvocationPolicy") === "IfNeeded",
    reviewVersions: stringsAt(each, "admissionReviewVersions"),
  }));
}

export function matchPolicyOf(value: unknown): "Exact" | "Equivalent" {
  return scalarStringAt(value, "matchPolicy") === "Exact" ? "Exact" : "Equivalent";
}
