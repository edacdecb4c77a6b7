import { listAt, stringAt, valueAt } from "@keelson/base";
import { isStricter, type KubeObject, type PodSecurityLevel, podSecurityLevels } from "@keelson/kube";

/**
 * Field manager of the syncer. The syncer sets labels according to the SecurityContextConstraints of a namespace's service
 * accounts.
 */
const syncer = "pod-security-admission-label-synchronization-controller";
const sufficient = "security.openshift.io/MinimallySufficientPodSecurityStandard";
const advised = ["pod-security.kubernetes.io/warn", "pod-security.kubernetes.io/audit"];

/**
 * Returns the level that would be enforced in a namespace. The syncer's annotation has priority, followed by the strictest level
 * in the syncer's warn and audit labels. Without these values, returns the default of later releases. Values of other writers are
 * ignored.
 */
export function levelToTry(namespace: KubeObject): PodSecurityLevel {
  const { annotations = {}, labels = {} } = namespace.metadata;
  const owned = ownedBySyncer(namespace);
  const levelOf = (text: string | undefined) => podSecurityLevels.find((level) => level === text);
  const minimum = owned("annotations", sufficient) ? levelOf(annotations[sufficient]) : undefined;
  if (minimum) return minimum;
  const levels = advised.flatMap((label) => (owned("labels", label) ? (levelOf(labels[label]) ?? []) : []));
  const [first, ...others] = levels;
  if (!first) return "restricted";
  return others.reduce((strictest, level) => (isStricter(level, strictest) ? level : strictest), first);
}

function ownedBySyncer(namespace: KubeObject): (member: "annotations" | "labels", key: string) => boolean {
  const applied = listAt(namespace, "metadata", "managedFields").find(
    (entry) =>
      stringAt(entry, "manager") === syncer &&
      stringAt(entry, "operation") === "Apply" &&
      (stringAt(entry, "subresource") ?? "") === "",
  );
  return (member, key) => valueAt(applied, "fieldsV1", "f:metadata", `f:${member}`, `f:${key}`) !== undefined;
}
