import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";

/** Low-risk volume types. They access only objects in the pod's namespace. */
const trivialVolumes: ReadonlySet<unknown> = new Set([
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "none",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

/** Scores of `runAsUser` and `seLinuxContext` strategies. A higher score is less restrictive. */
const strategyPoints: Readonly<Record<string, number>> = {
  RunAsAny: 40_000,
  MustRunAsNonRoot: 30_000,
  MustRunAsRange: 20_000,
  MustRunAs: 10_000,
};

/**
 * Sorts SecurityContextConstraints in the order in which admission tries them: by priority, then from the most to the
 * least restrictive, then by name. Source: openshift/apiserver-library-go `pkg/securitycontextconstraints/util/sort`.
 */
export function inAdmissionOrder(constraints: readonly KubeObject[]): readonly KubeObject[] {
  const ranked = constraints.map((each) => ({
    each,
    name: each.metadata.name,
    priority: numberAt(each, "priority") ?? 0,
    points: points(each),
  }));
  ranked.sort((a, b) => b.priority - a.priority || a.points - b.points || (a.name < b.name ? -1 : 1));
  return ranked.map(({ each }) => each);
}

/** Returns the restrictiveness score of SecurityContextConstraints. A lower score is more restrictive. */
function points(constraints: KubeObject): number {
  const volumes = listAt(constraints, "volumes");
  const allowed = (field: string, worth: number) => (valueAt(constraints, field) === true ? worth : 0);
  const strategy = (field: string) => strategyPoints[stringAt(constraints, field, "type") ?? ""] ?? 0;
  return (
    allowed("allowPrivilegedContainer", 1_600_000) +
    allowed("allowHostPorts", 800_000) +
    allowed("allowHostNetwork", 400_000) +
    (volumes.includes("*") || volumes.includes("hostPath") ? 200_000 : 0) +
    (volumes.some((each) => !trivialVolumes.has(each)) ? 100_000 : 0) +
    strategy("runAsUser") +
    strategy("seLinuxContext") +
    capabilityPoints(constraints)
  );
}

function capabilityPoints(constraints: KubeObject): number {
  const allowed = listAt(constraints, "allowedCapabilities");
  const dropped = listAt(constraints, "requiredDropCapabilities");
  const sum =
    5_000 +
    300 * listAt(constraints, "defaultAddCapabilities").length +
    (allowed.includes("*") ? 4_000 : 10 * allowed.length) +
    (dropped.includes("ALL") ? -3_000 : -50 * dropped.length);
  return Math.min(9_999, Math.max(0, sum));
}
