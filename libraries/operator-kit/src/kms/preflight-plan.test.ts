import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { hashAnnotation, planPreflight } from "./preflight-plan.ts";

const hash = "cuZm_g==";
const now = new Date("2026-01-01T00:10:00Z");
const created = "2026-01-01T00:09:00Z";
const condition = (type: string, status: string, message = "") => ({ type, status, message });
const reported = condition("KMSPreflightConfigHash", "True", hash);
const remote = condition("KMSPreflightRemoteKeyID", "True", "k1");
const stateOf = (state: object) => [{ name: "vault-kms-plugin-1", state }];

function podOf(status: object, annotated = hash, metadata: object = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "kms-preflight",
      creationTimestamp: created,
      annotations: { [hashAnnotation]: annotated },
      ...metadata,
    },
    status: { startTime: created, ...status },
  };
}

const long = { startTime: "2026-01-01T00:06:00Z" };
const record = { status: "Failed", configHash: hash, remoteKeyID: "k1" } as const;

for (const [name, pod, recorded, expected] of [
  ["nothing runs", undefined, undefined, { kind: "deploy" }],
  ["a failure is on record", undefined, record, { kind: "stuck", reason: "PreflightCheckFailed" }],
  [
    "the pod of before is ending",
    podOf({}, hash, { deletionTimestamp: created }),
    undefined,
    { kind: "wait" },
  ],
  ["the pod has a different hash", podOf({ phase: "Running" }, "AAAAAA=="), undefined, { kind: "replace" }],
  [
    "the pod reports a different hash",
    podOf({ conditions: [condition("KMSPreflightConfigHash", "True", "AAAAAA==")] }),
    undefined,
    { kind: "replace" },
  ],
  ["it starts", podOf({ phase: "Pending" }), undefined, { kind: "wait" }],
  [
    "it has reported its hash",
    podOf({ phase: "Running", conditions: [reported] }),
    undefined,
    { kind: "wait" },
  ],
  [
    "it does not start",
    podOf({
      ...long,
      phase: "Pending",
      initContainerStatuses: stateOf({ waiting: { reason: "ErrImagePull" } }),
    }),
    undefined,
    { kind: "stuck", reason: "ErrImagePull" },
  ],
  ["it is slow", podOf({ ...long, phase: "Running" }), undefined, { kind: "stuck", reason: "Unknown" }],
  [
    "it crashed",
    podOf({ phase: "Failed", containerStatuses: stateOf({ terminated: { exitCode: 1, reason: "Error" } }) }),
    undefined,
    { kind: "stuck", reason: "Error" },
  ],
  [
    "it ended in silence",
    podOf({ phase: "Succeeded" }),
    undefined,
    { kind: "stuck", reason: "PodCompletedWithoutResult" },
  ],
  [
    "the plugin works",
    podOf({ phase: "Succeeded", conditions: [reported, remote, condition("KMSPreflightResult", "True")] }),
    undefined,
    { kind: "record", status: "Succeeded", remoteKeyID: "k1" },
  ],
  [
    "the plugin does not, and its process ended so",
    podOf({ phase: "Failed", conditions: [reported, condition("KMSPreflightResult", "False", "no route")] }),
    undefined,
    { kind: "record", status: "Failed", remoteKeyID: "unknown", reason: "PreflightCheckFailed" },
  ],
] as const)
  test(`the trial of a key management service when ${name}: ${expected.kind}`, () => {
    const step = planPreflight(hash, pod, recorded, now);
    const failure = "failure" in step ? step.failure : undefined;
    const result = step.kind === "record" ? step.result : undefined;
    const facts = {
      kind: step.kind,
      ...(failure ? { reason: failure.reason } : {}),
      ...(result ? { status: result.status, remoteKeyID: result.remoteKeyID } : {}),
    };
    assert.deepEqual(facts, expected);
    if (failure) assert.match(failure.message, /preflight/);
  });

test("a failure has the message of the plugin's check", () => {
  const conditions = [reported, condition("KMSPreflightResult", "False", "encrypt call failed")];
  const step = planPreflight(hash, podOf({ phase: "Failed", conditions }), undefined, now);
  assert.equal(
    step.kind === "record" && step.failure?.message,
    `preflight check failed for hash ${hash}: encrypt call failed`,
  );
});
