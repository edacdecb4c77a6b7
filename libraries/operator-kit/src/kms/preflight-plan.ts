import { listAt, numberAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { findCondition } from "@keelson/kube";
import { type PreflightResult, unknownRemoteKey } from "./preflight-status.ts";

/** Condition types of the preflight pod that contain the results. */
export const preflightConditions = {
  configHash: "KMSPreflightConfigHash",
  result: "KMSPreflightResult",
  remoteKeyId: "KMSPreflightRemoteKeyID",
} as const;

export interface PreflightFailure {
  readonly reason: string;
  readonly message: string;
}

export type PreflightStep =
  | { readonly kind: "deploy" }
  /** The pod tests a different configuration and must be replaced. */
  | { readonly kind: "replace"; readonly message: string }
  | { readonly kind: "wait"; readonly message: string }
  /** The pod does not start, or it exited without a result. If `isFinal` is false, a later result is still accepted. */
  | { readonly kind: "stuck"; readonly failure: PreflightFailure; readonly isFinal: boolean }
  | { readonly kind: "record"; readonly result: PreflightResult; readonly failure?: PreflightFailure };

const startMs = 180_000;

/** Plans the next step of the preflight test for the configuration with the given hash. */
export function planPreflight(
  hash: string,
  pod: KubeObject | undefined,
  recorded: PreflightResult | undefined,
  now: Date,
): PreflightStep {
  const failed = (message: string, reason = "PreflightCheckFailed") => ({ reason, message });
  if (!pod) {
    if (recorded?.status !== "Failed") return { kind: "deploy" };
    const message = `preflight check failed for hash ${hash}: pod was removed but failure is recorded in status`;
    return { kind: "stuck", failure: failed(message), isFinal: true };
  }
  if (pod.metadata.deletionTimestamp !== undefined)
    return { kind: "wait", message: "Waiting for the former preflight pod to end" };
  const reported = conditionAt(pod, preflightConditions.configHash);
  if (reported && reported.message !== hash)
    return { kind: "replace", message: "Cleaning up preflight pod with stale configuration" };
  const result = reported && conditionAt(pod, preflightConditions.result);
  const remoteKeyID = conditionAt(pod, preflightConditions.remoteKeyId)?.message || unknownRemoteKey;
  if (result?.status === "True")
    return { kind: "record", result: { status: "Succeeded", configHash: hash, remoteKeyID } };
  if (result) {
    const failure = failed(`preflight check failed for hash ${hash}: ${result.message}`);
    return { kind: "record", result: { status: "Failed", configHash: hash, remoteKeyID }, failure };
  }
  // A pod without a hash counts as different, because its configuration is unknown.
  const isOther = stringAt(pod, "metadata", "annotations", hashAnnotation) !== hash;
  if (isOther) return { kind: "replace", message: "Cleaning up preflight pod with stale configuration" };
  const phase = stringAt(pod, "status", "phase") ?? "Pending";
  if (phase === "Failed") {
    const { reason, message } = endOf(pod);
    const failure = failed(`preflight pod failed for hash ${hash}: ${message}`, reason);
    return { kind: "stuck", failure, isFinal: true };
  }
  if (phase === "Succeeded") {
    const message = `preflight pod completed without reporting result for hash ${hash}`;
    return { kind: "stuck", failure: failed(message, "PodCompletedWithoutResult"), isFinal: true };
  }
  const awaited = reported ? "result" : "config hash";
  const since = Date.parse(stringAt(pod, "status", "startTime") ?? pod.metadata.creationTimestamp ?? "");
  if (now.getTime() - since <= startMs || Number.isNaN(since))
    return { kind: "wait", message: `Waiting for preflight pod to report ${awaited} for ${hash}` };
  const { reason, message } = holdUpOf(pod, phase);
  const text = `preflight pod has not reported ${awaited} after 3m0s: ${message}`;
  return { kind: "stuck", failure: failed(text, reason), isFinal: false };
}

export const hashAnnotation = "encryption.apiserver.operator.openshift.io/kms-preflight-config-hash";

function conditionAt(pod: KubeObject, type: string) {
  const found = findCondition(pod, type);
  if (!found) return undefined;
  return { status: stringAt(found, "status") ?? "", message: stringAt(found, "message") ?? "" };
}

function statusesOf(pod: KubeObject): readonly unknown[] {
  return ["containerStatuses", "initContainerStatuses"].flatMap((each) => listAt(pod, "status", each));
}

function endOf(pod: KubeObject): PreflightFailure {
  for (const each of statusesOf(pod)) {
    const exitCode = numberAt(each, "state", "terminated", "exitCode") ?? 0;
    if (exitCode === 0) continue;
    const reason = stringAt(each, "state", "terminated", "reason") || "Unknown";
    const text = stringAt(each, "state", "terminated", "message") ?? "";
    const message = `at least one container ${stringAt(each, "name")} exited with ${exitCode} (${reason})`;
    return { reason, message: text === "" ? message : `${message}: ${text}` };
  }
  return ownWords(pod, "unknown");
}

function holdUpOf(pod: KubeObject, phase: string): PreflightFailure {
  for (const each of statusesOf(pod)) {
    const reason = stringAt(each, "state", "waiting", "reason") ?? "";
    if (reason === "") continue;
    const text = stringAt(each, "state", "waiting", "message") ?? "";
    const message = `at least one container ${stringAt(each, "name")} is waiting: ${reason}`;
    return { reason, message: text === "" ? message : `${message}: ${text}` };
  }
  return ownWords(pod, `pod is in ${phase} phase`);
}

function ownWords(pod: KubeObject, otherwise: string): PreflightFailure {
  const reason = stringAt(pod, "status", "reason") || "Unknown";
  return { reason, message: stringAt(pod, "status", "message") || otherwise };
}
