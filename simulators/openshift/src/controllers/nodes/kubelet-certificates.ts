import { createHash } from "node:crypto";
import { serviceAccountGroups, serviceAccountName, type User } from "@keelson/apiserver";
import { type CertificateRequestSubject, createCertificateRequest, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { VirtualMachine } from "../../hypervisor/virtual-machine.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Service account in the kubeconfig of joining nodes. */
const bootstrapAccount = { namespace: "openshift-machine-config-operator", name: "node-bootstrapper" };

const purposes = {
  client: { signer: "kubernetes.io/kube-apiserver-client-kubelet", usage: "client auth" },
  serving: { signer: "kubernetes.io/kubelet-serving", usage: "server auth" },
} as const;
type Purpose = keyof typeof purposes;

/**
 * Returns the name of a kubelet's certificate request. If a new machine has the name of a deleted machine, the requests of both
 * machines have different names.
 */
export function requestName({ id, createdAt }: VirtualMachine, purpose: Purpose): string {
  const digest = createHash("sha256").update(`${id.toLowerCase()}\n${createdAt}\n${purpose}`).digest("hex");
  return `csr-${digest.slice(0, 8)}`;
}

/** Names of the machines that wait for a client certificate, by cluster and name of the certificate request. */
const waiting = new WeakMap<Cluster, Map<string, string>>();

/** Returns the name of the machine that waits for a certificate request. Undefined if no machine of this process waits for it. */
export function machineOfRequest(cluster: Cluster, name: string): string | undefined {
  return waiting.get(cluster)?.get(name);
}

/**
 * Requests the kubelet's client certificate, which the kubelet needs to register its node. Returns true if the certificate has
 * already been issued.
 */
export async function hasClientCertificate(cluster: Cluster, vm: VirtualMachine): Promise<boolean> {
  const { namespace, name } = bootstrapAccount;
  const user = { name: serviceAccountName(namespace, name), groups: serviceAccountGroups(namespace) };
  const machines = waiting.get(cluster) ?? new Map<string, string>();
  const request = requestName(vm, "client");
  // The machine is registered as waiting before the request is created, so that no change of the request is missed.
  waiting.set(cluster, machines.set(request, vm.name));
  const issued = await hasCertificate(cluster, vm, "client", user);
  if (issued) machines.delete(request);
  return issued;
}

/** Requests the kubelet's serving certificate for logs and commands. */
export async function requestServingCertificate(cluster: Cluster, vm: VirtualMachine): Promise<void> {
  await hasCertificate(cluster, vm, "serving", { name: nodeUser(vm), groups: ["system:nodes"] });
}

async function hasCertificate(
  { client, logical }: Cluster,
  vm: VirtualMachine,
  purpose: Purpose,
  user: User,
): Promise<boolean> {
  const name = requestName(vm, purpose);
  const found = await client.find(resources.certificateRequests, { name });
  if (found) return Boolean(stringAt(found, "status", "certificate"));
  const { signer, usage } = purposes[purpose];
  const request = await createCertificateRequest(subjectOf(vm, purpose));
  await logical.clientAs({ user }).create(resources.certificateRequests, {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: {
      request: Buffer.from(request).toString("base64"),
      signerName: signer,
      usages: ["digital signature", usage],
    },
  });
  return false;
}

function subjectOf(
  vm: VirtualMachine,
  purpose: Purpose,
): Pick<CertificateRequestSubject, "commonName" | "organizations" | "dnsNames" | "ipAddresses"> {
  const isServing = purpose === "serving";
  return {
    commonName: nodeUser(vm),
    organizations: ["system:nodes"],
    dnsNames: isServing ? [vm.name] : [],
    ipAddresses: isServing ? vm.privateIpAddresses : [],
  };
}

function nodeUser({ name }: VirtualMachine): string {
  return `system:node:${name}`;
}
