import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { levelToTry } from "./level-to-try.ts";
import { problemOfNamespace, problemsOfPods, readinessConditions } from "./readiness.ts";

const syncer = "pod-security-admission-label-synchronization-controller";
const sufficient = "security.openshift.io/MinimallySufficientPodSecurityStandard";
const [warn, audit] = ["pod-security.kubernetes.io/warn", "pod-security.kubernetes.io/audit"];

function namespace(
  metadata: { name?: string; labels?: Record<string, string>; annotations?: Record<string, string> },
  manager = syncer,
): KubeObject {
  const { labels = {}, annotations = {} } = metadata;
  const fields = (members: object) =>
    Object.fromEntries(Object.keys(members).map((each) => [`f:${each}`, {}]));
  const fieldsV1 = { "f:metadata": { "f:labels": fields(labels), "f:annotations": fields(annotations) } };
  const managedFields = [{ manager, operation: "Apply", fieldsV1 }];
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "n", ...metadata, managedFields },
  } as KubeObject;
}

for (const [name, given, level] of [
  ["nothing is set", namespace({}), "restricted"],
  [
    "the syncer has set a sufficient level",
    namespace({ annotations: { [sufficient]: "baseline" }, labels: { [warn]: "restricted" } }),
    "baseline",
  ],
  [
    "what suffices is no level",
    namespace({ annotations: { [sufficient]: "none" }, labels: { [warn]: "privileged" } }),
    "privileged",
  ],
  [
    "the syncer warns of one level and audits a stricter",
    namespace({ labels: { [warn]: "privileged", [audit]: "baseline" } }),
    "baseline",
  ],
  ["it is the user who warns", namespace({ labels: { [warn]: "privileged" } }, "kubectl"), "restricted"],
] as const)
  test(`where ${name}, ${level} is tried`, () => assert.equal(levelToTry(given), level));

for (const [given, problem] of [
  [{ name: "kube-system" }, "RunLevelZero"],
  [{ name: "openshift-etcd" }, "Openshift"],
  [{ name: "mine", labels: { "security.openshift.io/scc.podSecurityLabelSync": "false" } }, "DisabledSyncer"],
  [{ name: "mine" }, undefined],
] as const)
  test(`namespace ${JSON.stringify(given)} is ${problem ?? "judged by its pods"}`, () =>
    assert.equal(problemOfNamespace(namespace(given)), problem));

const pod = (privileged: boolean, subject: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", annotations: { "security.openshift.io/validated-scc-subject-type": subject } },
  spec: { containers: [{ name: "c", securityContext: { privileged } }] },
});

for (const [name, pods, problems] of [
  ["pods of users violate it", [pod(true, "user"), pod(false, "serviceaccount")], ["UserSCC"]],
  ["pods of service accounts do", [pod(true, "serviceaccount")], ["Unknown"]],
  ["both do", [pod(true, "user"), pod(true, "serviceaccount")], ["UserSCC", "Unknown"]],
  ["none does any more", [pod(false, "user")], ["Inconclusive"]],
] as const)
  test(`where ${name}, the problem is ${problems.join(" and ")}`, () =>
    assert.deepEqual(problemsOfPods(pods, "baseline"), problems));

test("conditions name the namespaces, sorted", () => {
  const conditions = readinessConditions(
    new Map([
      ["b", ["UserSCC", "Unknown"]],
      ["a", ["Unknown"]],
      ["c", []],
      ["d", ["Inconclusive"]],
    ]),
  );
  assert.deepEqual(
    conditions.map(({ type, status, reason, message = "" }) => [type, status, reason, message]),
    [
      [
        "PodSecurityUnknownEvaluationConditionsDetected",
        "True",
        "PSViolationsDetected",
        "Violations detected in namespaces: [a b]",
      ],
      ["PodSecurityOpenshiftEvaluationConditionsDetected", "False", "ExpectedReason", ""],
      ["PodSecurityRunLevelZeroEvaluationConditionsDetected", "False", "ExpectedReason", ""],
      ["PodSecurityDisabledSyncerEvaluationConditionsDetected", "False", "ExpectedReason", ""],
      [
        "PodSecurityUserSCCEvaluationConditionsDetected",
        "True",
        "PSViolationsDetected",
        "Violations detected in namespaces: [b]",
      ],
      [
        "PodSecurityInconclusiveEvaluationConditionsDetected",
        "True",
        "PSViolationDecisionInconclusive",
        "Could not evaluate violations for namespaces: [d]",
      ],
    ],
  );
});
