import { sameJson } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";

type Labels = Readonly<Record<string, string>>;

const kubeletLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

/**
 * Validates a kubelet's write of a Node. A kubelet may change only its own Node object. A kubelet may not change taints, owner
 * references or labels that could attract pods.
 * @throws StatusError 403
 */
export function confirmNodeChange(request: AdmissionRequest, node: string): void {
  const { object, oldObject, operation } = request;
  const requested = request.name || object?.metadata.name;
  if (requested !== node) {
    throw forbidden(request, `node "${node}" is not allowed to modify node "${requested}"`);
  }
  if (!object) return;
  const source = valueAt(object, "spec", "configSource");
  if (operation === "CREATE") {
    if (source !== undefined) {
      throw forbidden(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
    }
    const labels = forbiddenLabels(object.metadata.labels ?? {}, {});
    if (labels.length === 0) return;
    throw forbidden(
      request,
      `node "${node}" is not allowed to set the following labels: ${labels.join(", ")}`,
    );
  }
  if (source !== undefined && !sameJson(source, valueAt(oldObject, "spec", "configSource"))) {
    throw forbidden(
      request,
      `node "${node}" is not allowed to update configSource to a new non-nil configSource`,
    );
  }
  if (!sameJson(valueAt(object, "spec", "taints") ?? [], valueAt(oldObject, "spec", "taints") ?? [])) {
    throw forbidden(request, `node "${node}" is not allowed to modify taints`);
  }
  if (!sameJson(object.metadata.ownerReferences ?? [], oldObject?.metadata.ownerReferences ?? [])) {
    throw forbidden(request, `node "${node}" is not allowed to modify ownerReferences`);
  }
  const labels = forbiddenLabels(object.metadata.labels ?? {}, oldObject?.metadata.labels ?? {});
  if (labels.length > 0) throw forbidden(request, `is not allowed to modify labels: ${labels.join(", ")}`);
}

/** Returns changed labels that a kubelet may not set, sorted by name. */
function forbiddenLabels(now: Labels, before: Labels): readonly string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...names].filter((name) => now[name] !== before[name] && isForbidden(name)).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf("/");
  const domain = slash < 0 ? "" : label.slice(0, slash);
  const below = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  if (below("node-restriction.kubernetes.io")) return true;
  const isKubernetes = below("kubernetes.io") || below("k8s.io");
  return (
    isKubernetes &&
    !kubeletLabels.has(label) &&
    !below("kubelet.kubernetes.io") &&
    !below("node.kubernetes.io")
  );
}
