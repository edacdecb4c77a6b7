import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Preflight request of the key controller, with the result. Stored in `status.encryptionStatus.preflight` of an operator. */
export interface PreflightStatus {
  /** Hash of the configuration to test. */
  readonly observedConfigHash: string;
  readonly result: PreflightResult | undefined;
}

export interface PreflightResult {
  readonly status: "Succeeded" | "Failed";
  readonly configHash: string;
  readonly remoteKeyID: string;
}

/** Key name for a plugin that returned no key name. The schema requires a value. */
export const unknownRemoteKey = "unknown";

export function readPreflightStatus(configuration: KubeObject): PreflightStatus {
  const at = (...path: readonly string[]) =>
    stringAt(configuration, "status", "encryptionStatus", "preflight", ...path) ?? "";
  const status = at("result", "status");
  return {
    observedConfigHash: at("observedConfigHash"),
    result:
      status === "Succeeded" || status === "Failed"
        ? { status, configHash: at("result", "configHash"), remoteKeyID: at("result", "remoteKeyID") }
        : undefined,
  };
}

/** Returns a merge patch with the changed fields. */
export function preflightPatch(change: Partial<PreflightStatus>) {
  return { status: { encryptionStatus: { preflight: change } } };
}
