import { isDeepStrictEqual } from "node:util";
import { clusters, singleton } from "@keelson/aro-api";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { operatorFlags } from "./cluster-resource.ts";
import { absentFlags } from "./install-operator.ts";

/** Sets the operator flags of the document in the cluster, and removes flags that the document lacks. */
export async function updateClusterOperatorFlags(context: ClusterContext): Promise<void> {
  const live = await context.kube().get(clusters, singleton, context.signal);
  const wanted = operatorFlags(context);
  const operatorflags = { ...absentFlags(live, wanted), ...wanted };
  const object = { apiVersion: live.apiVersion, kind: live.kind, metadata: { name: singleton.name } };
  await context.kube().ensure(clusters, { ...object, spec: { operatorflags } }, context.signal);
}

const forceFlag = "aro.forcereconciliation";

/**
 * Forces full reconciliation during the installation, so that the operator repairs all problems. Without this setting, it repairs
 * only some problems and reports the rest.
 */
export const enableOperatorReconciliation = setForceReconciliation("true");
export const disableOperatorReconciliation = setForceReconciliation("false");

function setForceReconciliation(value: "true" | "false") {
  return async ({ kube, signal }: ClusterContext): Promise<void> => {
    const spec = { operatorflags: { [forceFlag]: value } };
    await kube().mergePatch(clusters, singleton, { spec }, signal);
  };
}

/** Removes the pinned operator version. */
export async function resetOperatorVersion({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { operatorVersion, ...properties } = cluster.properties;
    return operatorVersion === undefined ? cluster : { ...cluster, properties };
  });
}

export const loggingProfiles = ["max-logs", "reduced-logs", "minimal-logs"] as const;

/** Returns a step that sets the amount of cluster logs that the operator sends (flags: Azure/ARO-RP pkg/operator/flags.go). */
export function setLoggingProfile(profile: (typeof loggingProfiles)[number]) {
  const flags = {
    "aro.genevalogging.enabled": "true",
    "aro.genevalogging.otel.profile": profile,
    "aro.genevalogging.otel.master.profile": profile,
    "aro.genevalogging.otel.worker.profile": profile,
  };
  return async ({ update }: ClusterContext): Promise<void> => {
    await update((cluster) => {
      const operatorFlags = { ...cluster.properties.operatorFlags, ...flags };
      const isSet = isDeepStrictEqual(operatorFlags, cluster.properties.operatorFlags);
      return isSet ? cluster : withProperties(cluster, { operatorFlags });
    });
  };
}
