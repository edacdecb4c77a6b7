import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Api, Response } from "../api.ts";
import { all, type ConformanceCase, matches } from "../case.ts";
import { configMap, configMaps, post } from "../requests.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const selector = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };
/** Returns the case's policy for new ConfigMaps. `more` adds or replaces fields. */
export const policy = (validations: readonly object[], more: object = {}) =>
  post(`${group}/validatingadmissionpolicies`, {
    metadata: { name: "{ns}" },
    spec: {
      matchConstraints: {
        namespaceSelector: selector,
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
        ],
      },
      validations,
      ...more,
    },
  });
const binding = (...validationActions: readonly string[]) =>
  post(`${group}/validatingadmissionpolicybindings`, {
    metadata: { name: "b-{ns}" },
    spec: { policyName: "{ns}", validationActions },
  });
const failed = (message: string) =>
  `299 - "Validation failed for ValidatingAdmissionPolicy '{ns}' with binding 'b-{ns}': ${message}"`;

interface PolicyCase {
  readonly name: string;
  readonly validations: readonly object[];
  readonly actions: readonly string[];
  readonly status: number;
  readonly warning?: string;
  readonly body?: object;
}

const cases: readonly PolicyCase[] = [
  {
    name: "a warning policy accepts writes with all its messages",
    validations: [
      { expression: "false", message: "never" },
      { expression: "object.metadata.name == 'other'" },
      { expression: "true", message: "always" },
    ],
    actions: ["Warn"],
    status: 201,
    warning: [failed("never"), failed("failed expression: object.metadata.name == 'other'")].join(", "),
  },
  {
    name: "a warning and auditing policy sends each message once",
    validations: [{ expression: "false", messageExpression: "'made of ' + object.metadata.name" }],
    actions: ["Warn", "Audit"],
    status: 201,
    warning: failed("made of a"),
  },
  {
    name: "a policy sends equal warnings once",
    validations: [
      { expression: "false", message: "twice" },
      { expression: "1 == 2", message: "twice" },
    ],
    actions: ["Warn"],
    status: 201,
    warning: failed("twice"),
  },
  {
    name: "a policy that denies does not warn",
    validations: [{ expression: "false", message: "never", reason: "Forbidden" }],
    actions: ["Deny", "Audit"],
    status: 403,
    body: {
      reason: "Forbidden",
      message:
        "configmaps \"a\" is forbidden: ValidatingAdmissionPolicy '{ns}' with binding 'b-{ns}' denied request: never",
    },
  },
];

/** Conformance cases for the validation actions of policies other than Deny. */
export const policyCases: readonly ConformanceCase[] = cases.map(
  ({ name, validations, actions, status, warning, body }) => ({
    name,
    async run(api: Api) {
      await all(api, [policy(validations), binding(...actions)]);
      const here = (text: string) => text.replaceAll(api.namespace, "{ns}");
      const response = await objected(api);
      assert.equal(response.status, status, response.text);
      assert.equal(here([response.headers.warning ?? []].flat().join(", ")), warning ?? "");
      matches(JSON.parse(here(response.text)), body);
    },
  }),
);

/**
 * Repeats a dry-run creation and returns the first response that the policy affects. kube-apiserver applies a new policy only
 * after a delay.
 */
async function objected(api: Api): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await api.call(post(`${configMaps}?dryRun=All`, configMap("a")));
    if (response.status !== 201 || response.headers.warning !== undefined) return response;
    assert.ok(attempt < 1_000, "the policy has no effect");
    await delay(20);
  }
}
