import { failures, type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import type { PluginContext } from "./plugin.ts";
import { configMapNamesOf, secretNamesOf } from "./pod-references.ts";

const mirror = "kubernetes.io/config.mirror";

/**
 * Validates a kubelet's write of a pod. A kubelet may access only pods of its node. A kubelet may create and delete mirror pods,
 * report status and evict pods.
 * @throws StatusError 403, 404
 */
export function confirmNodePod(request: AdmissionRequest, node: string, context: PluginContext): void {
  const { operation, subresource, namespace, name, oldObject } = request;
  const own = (pod: KubeObject | undefined, why: string): void => {
    if (scalarStringAt(pod, "spec", "nodeName") !== node) throw forbidden(request, why);
  };
  switch (subresource) {
    case "":
      if (operation === "CREATE") confirmMirror(request, node, context);
      else if (operation === "DELETE")
        own(oldObject, `node "${node}" can only delete pods with spec.nodeName set to itself`);
      else {
        const why = `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
        throw forbidden(request, why);
      }
      return;
    case "status":
      own(oldObject, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
      confirmStatus(request, node);
      return;
    case "eviction": {
      const pod = context.store.get("/pods", `${namespace}/${name}`)?.object;
      own(pod, `node ${node} can only evict pods with spec.nodeName set to itself`);
      return;
    }
    default: {
      const why = `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
      throw forbidden(request, why);
    }
  }
}

function confirmStatus(request: AdmissionRequest, node: string): void {
  const { object, oldObject } = request;
  const differs = (...path: readonly string[]) =>
    !sameJson(valueAt(object, "status", ...path) ?? null, valueAt(oldObject, "status", ...path) ?? null);
  if (!sameJson(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})) {
    throw forbidden(request, `node "${node}" cannot update labels through pod status`);
  }
  if (differs("resourceClaimStatuses")) {
    throw forbidden(request, `node "${node}" cannot update resource claim statues`);
  }
  if (differs("extendedResourceClaimStatus")) {
    throw forbidden(request, `node "${node}" cannot update extended resource claim status`);
  }
}

function confirmMirror(request: AdmissionRequest, node: string, { store }: PluginContext): void {
  const { object: pod } = request;
  if (!pod) return;
  const refuse = (why: string) => forbidden(request, why);
  if (pod.metadata.annotations?.[mirror] === undefined) {
    throw refuse(`pod does not have "${mirror}" annotation, node "${node}" can only create mirror pods`);
  }
  if (scalarStringAt(pod, "spec", "nodeName") !== node) {
    throw refuse(`node "${node}" can only create pods with spec.nodeName set to itself`);
  }
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) {
    throw refuse(`node "${node}" can only create pods with a single owner reference set to itself`);
  }
  if (owner?.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    throw refuse(`node "${node}" can only create pods with an owner reference set to itself`);
  }
  if (owner.controller !== true) {
    throw refuse(`node "${node}" can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion === true) {
    throw refuse(`node "${node}" must not set blockOwnerDeletion on an owner reference`);
  }
  const found = store.get("/nodes", node)?.object;
  if (!found) throw failures.notFound({ group: "", resource: "nodes" }, node);
  if (owner.uid !== found.metadata.uid) {
    throw refuse(`node ${node} UID mismatch: expected ${owner.uid} got ${found.metadata.uid}`);
  }
  const reference = referenceIn(pod);
  if (reference) throw refuse(`node "${node}" can not create pods that reference ${reference}`);
}

/** Volume sources that reference API objects, and the object type for error messages. */
const volumeReferences: readonly (readonly [source: string, what: string])[] = [
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
];
const projectedReferences: readonly (readonly [source: string, what: string])[] = [
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

/**
 * Returns the type of the first API object that the pod references. Undefined if the pod references no API object. Mirror pods
 * must not depend on API objects.
 */
function referenceIn(pod: KubeObject): string | undefined {
  if (scalarStringAt(pod, "spec", "serviceAccountName")) return "serviceaccounts";
  if (secretNamesOf(pod).length > 0) return "secrets";
  if (configMapNamesOf(pod).length > 0) return "configmaps";
  if (listAt(pod, "spec", "resourceClaims").length > 0) return "resourceclaims";
  for (const volume of listAt(pod, "spec", "volumes")) {
    const found = volumeReferences.find(([source]) => valueAt(volume, source) !== undefined);
    if (found) return found[1];
    for (const each of listAt(volume, "projected", "sources")) {
      const projected = projectedReferences.find(([source]) => valueAt(each, source) !== undefined);
      if (projected) return projected[1];
    }
  }
  return undefined;
}
