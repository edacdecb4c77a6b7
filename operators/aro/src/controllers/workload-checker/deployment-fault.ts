import { numberAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { conditionAt, type Fault, fault } from "./fault.ts";

/**
 * Returns a fault if the Deployment's condition Available is not True. Kubernetes evaluates this condition with the limits of the
 * Deployment's strategy.
 */
export function deploymentFault(deployment: KubeObject): Fault | undefined {
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  if (wanted === 0) return undefined;
  const ready = numberAt(deployment, "status", "availableReplicas") ?? 0;
  const available = conditionAt(deployment, "Available");
  const { creationTimestamp } = deployment.metadata;
  if (available.status === undefined ? ready < wanted : available.status !== "True")
    return fault(`${ready} of ${wanted} pods available`, available.since, creationTimestamp);
  const progressing = conditionAt(deployment, "Progressing");
  return progressing.status === "False"
    ? fault(`does not progress: ${progressing.reason ?? "no reason given"}`, progressing.since)
    : undefined;
}
