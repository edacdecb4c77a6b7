import type { CertificateRequestSubject } from "@keelson/base";

export const clientSigner = "kubernetes.io/kube-apiserver-client";
export const kubeletClientSigner = "kubernetes.io/kube-apiserver-client-kubelet";
const kubeletServingSigner = "kubernetes.io/kubelet-serving";
export const legacySigner = "kubernetes.io/legacy-unknown";

/** Certificate usages that requests may contain. The values are KeyUsage bits, or object identifiers of extended usages. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 1,
  "digital signature": 1,
  "content commitment": 2,
  "key encipherment": 4,
  "data encipherment": 8,
  "key agreement": 16,
  "cert sign": 32,
  "crl sign": 64,
  "encipher only": 128,
  "decipher only": 256,
};
const extendedKeyUsages: Readonly<Record<string, string>> = {
  any: "2.5.29.37.0",
  "server auth": "1.3.6.1.5.5.7.3.1",
  "client auth": "1.3.6.1.5.5.7.3.2",
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

export const knownUsages: readonly string[] = [
  ...Object.keys(keyUsages),
  ...Object.keys(extendedKeyUsages),
].sort();

export function usageTerms(usages: readonly string[]): {
  readonly keyUsage: number;
  readonly extendedKeyUsage: readonly string[];
} {
  return {
    keyUsage: usages.reduce((bits, usage) => bits | (keyUsages[usage] ?? 0), 0),
    extendedKeyUsage: usages.flatMap((usage) => extendedKeyUsages[usage] ?? []),
  };
}

type Check = (subject: CertificateRequestSubject, usages: readonly string[]) => string;

/**
 * Returns the check function of a signer, or undefined for an unknown signer. The function returns the reason for a rejection, or
 * an empty string.
 */
export function signerCheck(signer: string): Check | undefined {
  return checks[signer];
}

const checks: Readonly<Record<string, Check>> = {
  [clientSigner]: (_subject, usages) => clientUsages(usages),
  [kubeletClientSigner]: (subject, usages) =>
    nodeOrganization(subject) ||
    forbiddenNames(subject, ["dnsNames", "emailAddresses", "ipAddresses", "uris"]) ||
    nodeName(subject) ||
    exactUsages(usages, "client auth"),
  [kubeletServingSigner]: (subject, usages) =>
    nodeOrganization(subject) ||
    servingNames(subject) ||
    forbiddenNames(subject, ["emailAddresses", "uris"]) ||
    exactUsages(usages, "server auth") ||
    nodeName(subject),
  [legacySigner]: () => "",
};

function clientUsages(usages: readonly string[]): string {
  const optional = ["digital signature", "key encipherment"];
  const wrong = usages.find((usage) => usage !== "client auth" && !optional.includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes("client auth") ? "" : "missing required usage for client certificate: client auth";
}

function nodeOrganization({ organizations }: CertificateRequestSubject): string {
  const right = organizations.length === 1 && organizations[0] === "system:nodes";
  return right ? "" : "subject organization is not system:nodes";
}

function nodeName({ commonName }: CertificateRequestSubject): string {
  return commonName.startsWith("system:node:") ? "" : "subject common name does not begin with system:node:";
}

const nameTypes = { dnsNames: "DNS", emailAddresses: "Email", ipAddresses: "IP", uris: "URI" } as const;

function forbiddenNames(
  subject: CertificateRequestSubject,
  members: readonly (keyof typeof nameTypes)[],
): string {
  const found = members.find((member) => subject[member].length > 0);
  return found ? `${nameTypes[found]} subjectAltNames are not allowed` : "";
}

function servingNames({ dnsNames, ipAddresses }: CertificateRequestSubject): string {
  return dnsNames.length + ipAddresses.length > 0 ? "" : "DNS or IP subjectAltName is required";
}

/**
 * Returns an empty string if the request contains exactly the required usages, and an error message if it does not. `key
 * encipherment` is optional, because a key that can only sign does not need this usage.
 */
function exactUsages(usages: readonly string[], purpose: string): string {
  const all = ["digital signature", "key encipherment", purpose];
  const given = new Set(usages);
  const right = [all, ["digital signature", purpose]].some(
    (wanted) => wanted.length === given.size && wanted.every((usage) => given.has(usage)),
  );
  return right ? "" : `usages did not match [${all.toSorted().join(" ")}]`;
}
