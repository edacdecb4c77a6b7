import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import { resources, valueAt } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";

/** Sets the flags of the operator, and removes those that the document does not have. */
export async function updateClusterOperatorFlags(context: ClusterContext): Promise<void> {
  const live = await context.kube().get(resources.aroClusters, clusterKey, context.signal);
  const wanted = context.cluster.properties.operatorFlags ?? {};
  const present = valueAt(live, "spec", "operatorflags");
  if (isDeepStrictEqual(present, wanted)) return;
  const removed = Object.keys(isPlainObject(present) ? present : {}).filter((name) => !(name in wanted));
  const operatorflags = { ...Object.fromEntries(removed.map((name) => [name, null])), ...wanted };
  const patch = { spec: { operatorflags } };
  await context.kube().mergePatch(resources.aroClusters, clusterKey, patch, context.signal);
}

const forceFlag = "aro.forcereconciliation";

/** During the install the operator corrects what it only reports afterwards. */
export const enableOperatorReconciliation = setForceReconciliation("true");
export const disableOperatorReconciliation = setForceReconciliation("false");

function setForceReconciliation(value: "true" | "false") {
  return async ({ kube, signal }: ClusterContext): Promise<void> => {
    const spec = { operatorflags: { [forceFlag]: value } };
    await kube().mergePatch(resources.aroClusters, clusterKey, { spec }, signal);
  };
}

/** Unpins the operator's version. */
export async function resetOperatorVersion({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { operatorVersion, ...properties } = cluster.properties;
    return operatorVersion === undefined ? cluster : { ...cluster, properties };
  });
}

export const loggingProfiles = ["max-logs", "reduced-logs", "minimal-logs"] as const;

/** Sets how much of the cluster's logs the operator sends (flags: Azure/ARO-RP pkg/operator/flags.go). */
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

const clusterKey = { name: "cluster" };
