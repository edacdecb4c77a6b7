import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** `status.encryptionStatus.preflight` of an operator: what the key controller asks for, and what came of it. */
export interface PreflightStatus {
  /** Of the configuration that is to be tried. */
  readonly observedConfigHash: string;
  readonly result: PreflightResult | undefined;
}

export interface PreflightResult {
  readonly status: "Succeeded" | "Failed";
  readonly configHash: string;
  readonly remoteKeyID: string;
}

/** The schema wants a key's name even where no plugin gave one. */
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

/** Members of the status that differ, as a merge patch. */
export function preflightPatch(change: Partial<PreflightStatus>) {
  return { status: { encryptionStatus: { preflight: change } } };
}
