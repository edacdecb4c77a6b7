import { type KubeObject, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { readCertificateRequest } from "@keelson/base";
import type { User } from "../../auth/user.ts";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { forbidden } from "../../resources/forbidden.ts";
import { confirmNodeChange } from "./node-changes.ts";
import { confirmNodePod } from "./node-pods.ts";
import { confirmNodeToken } from "./node-tokens.ts";
import type { AdmissionPlugin, PluginContext } from "./plugin.ts";

const prefix = "system:node:";
const nodes = "system:nodes";
const leaseNamespace = "kube-node-lease";
const kubeletSigners: ReadonlySet<string> = new Set([
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/kube-apiserver-client-kubelet",
]);

/** Restricts each kubelet to its node, the node's lease and the node's pods. */
export const nodeRestriction: AdmissionPlugin = {
  name: "NodeRestriction",
  targets: [
    ...everyWrite("/pods", "status", "eviction", "binding", "ephemeralcontainers"),
    ...everyWrite("/nodes", "status"),
    ...everyWrite("/persistentvolumeclaims", "status"),
    ...everyWrite("coordination.k8s.io/leases"),
    ...everyWrite("storage.k8s.io/csinodes"),
    "CREATE /serviceaccounts/token",
    "CREATE certificates.k8s.io/certificatesigningrequests",
  ],
  admit(request, context) {
    const node = nodeOf(request.user);
    if (node === undefined) return undefined;
    if (node === "") {
      throw forbidden(request, `could not determine node from user ${JSON.stringify(request.user.name)}`);
    }
    return confirm(request, node, context);
  },
};

function everyWrite(bucket: string, ...subresources: readonly string[]): readonly string[] {
  const places = [bucket, ...subresources.map((each) => `${bucket}/${each}`)];
  return ["CREATE", "UPDATE", "DELETE"].flatMap((operation) => places.map((each) => `${operation} ${each}`));
}

/** Returns the node name of a kubelet user, or undefined for other users. */
function nodeOf({ name, groups }: User): string | undefined {
  return name.startsWith(prefix) && groups.includes(nodes) ? name.slice(prefix.length) : undefined;
}

function confirm(request: AdmissionRequest, node: string, context: PluginContext): void | Promise<void> {
  switch (request.resource.bucket) {
    case "/pods":
      return confirmNodePod(request, node, context);
    case "/nodes":
      return confirmNodeChange(request, node);
    case "/persistentvolumeclaims":
      return confirmClaimStatus(request, node);
    case "/serviceaccounts":
      return confirmNodeToken(request, node, context);
    case "coordination.k8s.io/leases":
      return confirmLease(request, node);
    case "storage.k8s.io/csinodes":
      return confirmOwn(request, node, "can only access CSINode with the same name as the requesting node");
    default:
      return confirmCertificateRequest(request, node);
  }
}

function confirmLease(request: AdmissionRequest, node: string): void {
  if (request.namespace !== leaseNamespace) {
    throw forbidden(request, `can only access leases in the "${leaseNamespace}" system namespace`);
  }
  confirmOwn(request, node, "can only access node lease with the same name as the requesting node");
}

function confirmOwn(request: AdmissionRequest, node: string, why: string): void {
  const name = request.name || request.object?.metadata.name;
  if (name !== node) throw forbidden(request, why);
}

/**
 * Validates a kubelet's write of a PersistentVolumeClaim. A kubelet may change only the size and the conditions in the claim's
 * status.
 * @throws StatusError 403
 */
function confirmClaimStatus(request: AdmissionRequest, node: string): void {
  if (request.subresource !== "status") throw forbidden(request, "may only update PVC status");
  const { object, oldObject } = request;
  if (!object || !oldObject || sameJson(withoutSize(object), withoutSize(oldObject))) return;
  const why = `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`;
  throw forbidden(request, why);
}

function withoutSize(claim: KubeObject): object {
  const { managedFields: _managers, resourceVersion: _revision, ...metadata } = claim.metadata;
  const status = Object.entries(Object(claim.status)).filter(([member]) => !sizes.has(member));
  return { ...claim, metadata, status: Object.fromEntries(status) };
}

const sizes: ReadonlySet<string> = new Set([
  "capacity",
  "conditions",
  "allocatedResourceStatuses",
  "allocatedResources",
]);

async function confirmCertificateRequest(request: AdmissionRequest, node: string): Promise<void> {
  if (!kubeletSigners.has(scalarStringAt(request.object, "spec", "signerName"))) return;
  const pem = Buffer.from(scalarStringAt(request.object, "spec", "request"), "base64").toString();
  const commonName = await readCertificateRequest(pem).then(
    (subject) => subject.commonName,
    () => {
      throw forbidden(request, "unable to parse csr: PEM block type must be CERTIFICATE REQUEST");
    },
  );
  if (commonName === prefix + node) return;
  throw forbidden(request, `can only create a node CSR with CN=${prefix}${node}`);
}
