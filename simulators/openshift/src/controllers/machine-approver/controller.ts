import type { KubeObject } from "@keelson/apiserver";
import { type CertificateRequestSubject, listAt, readCertificateRequest, stringAt } from "@keelson/base";
import { type Controller, done, type Result, timestamp, watch } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const clientSigner = "kubernetes.io/kube-apiserver-client-kubelet";
const servingSigner = "kubernetes.io/kubelet-serving";
const bootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper";
const nodePrefix = "system:node:";

/**
 * Approves the certificate requests of kubelets. Simulates the approval script of the bootstrap machine and, after the
 * installation, cluster-machine-approver. Requests of unknown machines remain pending.
 */
export const machineApprover: Controller<Cluster> = {
  name: "machine-approver",
  watches: [watch(resources.certificateRequests)],
  reconcile: approve,
};

async function approve(key: ObjectKey, { client, machines, clock }: Cluster): Promise<Result> {
  const request = await client.find(resources.certificateRequests, key);
  if (!request || listAt(request, "status", "conditions").length > 0) return done;
  const subject = await subjectOf(request);
  const name = subject?.commonName.startsWith(nodePrefix) && subject.commonName.slice(nodePrefix.length);
  const machine = name ? machines.find(name) : undefined;
  if (!subject || !machine) return done;
  const addresses = [machine.name, ...machine.privateIpAddresses];
  if (!isOfKubelet(request, subject, addresses)) return done;
  const now = timestamp(clock.now());
  const condition = {
    type: "Approved",
    status: "True",
    reason: "NodeCSRApprove",
    message: "This CSR was approved by the Node CSR Approver (cluster-machine-approver)",
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  try {
    const status = { conditions: [condition] };
    await client.mergePatch(resources.certificateRequests, key, { status }, "approval");
  } catch (error) {
    if (!hasReason(error, "NotFound")) throw error;
  }
  return done;
}

async function subjectOf(request: KubeObject): Promise<CertificateRequestSubject | undefined> {
  const pem = Buffer.from(stringAt(request, "spec", "request") ?? "", "base64").toString();
  return readCertificateRequest(pem).catch(() => undefined);
}

/**
 * True if the request is from the node's kubelet, before or after the node joins the cluster. A serving certificate may contain
 * only the machine's addresses.
 */
function isOfKubelet(
  request: KubeObject,
  subject: CertificateRequestSubject,
  addresses: readonly string[],
): boolean {
  const requester = stringAt(request, "spec", "username");
  const isNode = requester === subject.commonName;
  const names = [...subject.dnsNames, ...subject.ipAddresses];
  switch (stringAt(request, "spec", "signerName")) {
    case clientSigner:
      return (isNode || requester === bootstrapper) && names.length === 0;
    case servingSigner:
      return isNode && names.every((each) => addresses.includes(each));
    default:
      return false;
  }
}
