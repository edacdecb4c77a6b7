import { X509Certificate } from "node:crypto";
import type { ClusterClient, ClusterTrust, KubeObject } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type KeyType,
  type Secret,
} from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { caBundle, configMap, keyPairIn, secret, tlsSecret } from "../base/data-objects.ts";
import { ensureObject } from "../base/objects.ts";
import { resources } from "../base/resources.ts";
import type { InstallerSigners } from "./boot-configuration.ts";
import type { ClusterSettings } from "./cluster-settings.ts";

const authorityDays = 3_650;
const clientDays = 730;

const config = "openshift-config";
const managed = "openshift-config-managed";

interface Signer {
  readonly namespace: string;
  readonly name: string;
  readonly commonName: string;
  /** Key type. Operators sign with RSA keys (openshift/library-go pkg/crypto), so CAs for operators must use RSA. */
  readonly keyType: KeyType;
}

/** CAs of a control plane and their Secrets. Excludes the CA of the API server. */
const signers = {
  /** CA of the machine config server's certificate. */
  root: {
    namespace: "openshift-machine-config-operator",
    name: "machine-config-server-ca",
    commonName: "root-ca",
    keyType: "ecdsa",
  },
  etcd: { namespace: "openshift-etcd", name: "etcd-signer", commonName: "etcd-signer", keyType: "ecdsa" },
  /** CA of the control plane components' client certificates. */
  controlPlane: {
    namespace: "openshift-kube-apiserver-operator",
    name: "kube-control-plane-signer",
    commonName: "kube-control-plane-signer",
    keyType: "rsa",
  },
  /** CA of the API server's client certificate for aggregated API servers. */
  aggregator: {
    namespace: "openshift-kube-apiserver-operator",
    name: "aggregator-client-signer",
    commonName: "aggregator-signer",
    keyType: "rsa",
  },
} as const satisfies Readonly<Record<string, Signer>>;

/** CA of the API server's certificates for load balancer names. The operator of the API server replaces this CA later. */
const loadBalancerSigner: Signer = {
  namespace: "openshift-kube-apiserver-operator",
  name: "loadbalancer-serving-signer",
  commonName: "kube-apiserver-lb-signer",
  keyType: "rsa",
};

/** Secrets with the CAs for the API server's names, highest priority first. */
export const servingSigners: readonly Pick<Signer, "namespace" | "name">[] = [
  loadBalancerSigner,
  signers.root,
];

export type Authorities = Readonly<Record<keyof typeof signers, KeyPair>>;

/**
 * Returns the stored CAs. Copies missing CAs from the installer or creates them. Because the CAs are stored, certificates that
 * were signed before a crash remain valid.
 */
export async function ensureAuthorities(
  client: ClusterClient,
  given: InstallerSigners = {},
): Promise<Authorities> {
  const [root, etcd, controlPlane, aggregator] = await Promise.all([
    ensureSigner(client, signers.root, given.root),
    ensureSigner(client, signers.etcd),
    ensureSigner(client, signers.controlPlane, given.controlPlane),
    ensureSigner(client, signers.aggregator, given.aggregator),
    given.apiServer && ensureSigner(client, loadBalancerSigner, given.apiServer),
  ]);
  return { root, etcd, controlPlane, aggregator };
}

async function ensureSigner(
  client: ClusterClient,
  { namespace, name, commonName, keyType }: Signer,
  given?: KeyPair,
): Promise<KeyPair> {
  const stored = keyPairIn(await client.find(resources.secrets, { namespace, name }));
  if (stored) return stored;
  const made = given ?? (await createCertificateAuthority(commonName, authorityDays, keyType));
  await ensureObject(client, resources.secrets, withValidity(tlsSecret(namespace, name, made), made));
  return made;
}

/**
 * Returns the objects that the installer and the control plane operators exchange: CAs, client certificates and service account
 * signing keys.
 */
export async function authoritySeeds(
  settings: ClusterSettings,
  trust: ClusterTrust,
  authorities: Authorities,
  tokenSigningKey: Secret,
): Promise<readonly KubeObject[]> {
  const { root, etcd, controlPlane, aggregator } = authorities;
  const client = (authority: KeyPair, commonName: string) =>
    issueCertificate(authority, { commonName, usage: "client", validDays: clientDays });
  const machineConfigHosts = [`api-int.${settings.domain}`, "localhost"];
  const [etcdClient, controllerManager, scheduler, machineConfigServer] = await Promise.all([
    client(etcd, "etcd-client"),
    client(controlPlane, "system:kube-controller-manager"),
    client(controlPlane, "system:kube-scheduler"),
    issueCertificate(root, {
      commonName: "system:machine-config-server",
      dnsNames: machineConfigHosts,
      usage: "server",
      validDays: authorityDays,
    }),
  ]);
  const admins = settings.clientCertificateAuthorities;
  const tokenKeys = { "service-account-001.pub": trust.tokenKeyPem };
  const etcdBundles = [config, "openshift-etcd"].flatMap((namespace) => [
    caBundle(namespace, "etcd-ca-bundle", etcd.certificatePem),
    caBundle(namespace, "etcd-serving-ca", etcd.certificatePem),
    tlsSecret(namespace, "etcd-client", etcdClient),
  ]);
  return [
    ...etcdBundles,
    caBundle(config, "admin-kubeconfig-client-ca", ...admins),
    caBundle(config, "initial-kube-apiserver-server-ca", trust.servingAuthorityPem),
    caBundle(managed, "csr-controller-ca", trust.clientSignerPem),
    caBundle(managed, "kubelet-bootstrap-kubeconfig", controlPlane.certificatePem),
    caBundle(managed, "kubelet-serving-ca", trust.clientSignerPem),
    caBundle(managed, "kube-apiserver-aggregator-client-ca", aggregator.certificatePem),
    caBundle(managed, "kube-apiserver-server-ca", trust.servingAuthorityPem),
    caBundle(
      managed,
      "kube-apiserver-client-ca",
      ...admins,
      trust.clientSignerPem,
      controlPlane.certificatePem,
    ),
    // Initial key of the controller manager. Its operator replaces the key later.
    secret(config, "initial-service-account-private-key", {
      "service-account.key": tokenSigningKey.reveal(),
    }),
    configMap(managed, "sa-token-signing-certs", tokenKeys),
    configMap(managed, "bound-sa-token-signing-certs", tokenKeys),
    tlsSecret(managed, "kube-controller-manager-client-cert-key", controllerManager),
    tlsSecret(managed, "kube-scheduler-client-cert-key", scheduler),
    configMap("kube-system", "root-ca", { "ca.crt": root.certificatePem }),
    caBundle("openshift-machine-config-operator", "machine-config-server-ca", root.certificatePem),
    tlsSecret("openshift-machine-config-operator", "machine-config-server-tls", machineConfigServer),
  ];
}

/**
 * Adds the validity period of the certificate as annotations. Certificate rotation computes the renewal time from them
 * (openshift/library-go pkg/operator/certrotation).
 */
function withValidity(object: KubeObject, { certificatePem }: KeyPair): KubeObject {
  const { validFromDate, validToDate, issuer } = new X509Certificate(certificatePem);
  const annotations = {
    "auth.openshift.io/certificate-not-before": timestamp(validFromDate),
    "auth.openshift.io/certificate-not-after": timestamp(validToDate),
    "auth.openshift.io/certificate-issuer": issuer.replace("CN=", ""),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
