import {
  type CertificateRequestSubject,
  isPlainObject,
  listAt,
  readCertificateRequest,
  stringAt,
} from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const clientSigner = "kubernetes.io/kube-apiserver-client-kubelet";
const servingSigner = "kubernetes.io/kubelet-serving";
/** Service account with which new machines request their first certificate. Source: openshift/cluster-machine-approver. */
const nodeBootstrapper = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper";
const nodePrefix = "system:node:";
const nodesGroup = "system:nodes";

/** Data of a certificate signing request, from the Kubernetes object and its PEM content. */
export interface SigningRequest {
  readonly name: string;
  readonly signer: string;
  /** User who created the request, recorded by the API server. */
  readonly requester: string;
  /** Subject of the request. Undefined if the content is not a certificate request. */
  readonly subject: CertificateRequestSubject | undefined;
}

export async function readSigningRequest(object: KubeObject): Promise<SigningRequest> {
  const content = Buffer.from(stringAt(object, "spec", "request") ?? "", "base64").toString("latin1");
  return {
    name: object.metadata.name,
    signer: stringAt(object, "spec", "signerName") ?? "",
    requester: stringAt(object, "spec", "username") ?? "",
    subject: await readCertificateRequest(content).catch(() => undefined),
  };
}

/** Returns the names and addresses of each machine in the cluster, by node name. */
export function machineAddresses(machines: readonly KubeObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    machines.map((machine) => {
      const nodeName = stringAt(machine, "status", "nodeRef", "name") ?? machine.metadata.name;
      const addresses = listAt(machine, "status", "addresses")
        .filter(isPlainObject)
        .flatMap((each) => stringAt(each, "address") ?? []);
      return [nodeName, new Set([nodeName, ...addresses])];
    }),
  );
}

/**
 * True if the kubelet of an existing machine requested a certificate for this machine. A serving certificate may contain only
 * names and addresses of the machine.
 */
export function isOfKubelet(
  { signer, requester, subject }: SigningRequest,
  machines: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (!subject?.commonName.startsWith(nodePrefix)) return false;
  if (subject.organizations.length !== 1 || subject.organizations[0] !== nodesGroup) return false;
  const addresses = machines.get(subject.commonName.slice(nodePrefix.length));
  if (!addresses) return false;
  const { dnsNames, ipAddresses, emailAddresses, uris } = subject;
  const names = [...dnsNames, ...ipAddresses];
  if (emailAddresses.length > 0 || uris.length > 0) return false;
  const isNode = requester === subject.commonName;
  if (signer === clientSigner) return (isNode || requester === nodeBootstrapper) && names.length === 0;
  return signer === servingSigner && isNode && names.every((name) => addresses.has(name));
}
