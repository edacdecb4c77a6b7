import { X509Certificate } from "node:crypto";
import type { JsonObject } from "@keelson/base";

/**
 * Reads a file in the asset directory.
 * @throws Error that names a missing file
 */
export type ReadAsset = (name: string) => Promise<string>;

const owner = { "openshift.io/owning-component": "kube-apiserver" };
const operatorNamespace = "openshift-kube-apiserver-operator";
const managedNamespace = "openshift-config-managed";

interface Signer {
  readonly file: string;
  readonly secret: string;
  readonly asset: string;
  readonly description: string;
}

const signers: readonly Signer[] = [
  {
    file: "secret-aggregator-client-signer.yaml",
    secret: "aggregator-client-signer",
    asset: "aggregator-signer",
    description: "Signs the front proxy's client certificates for aggregated API servers.",
  },
  {
    file: "secret-control-plane-client-signer.yaml",
    secret: "kube-control-plane-signer",
    asset: "kube-control-plane-signer",
    description: "Signs the client certificates of kube-controller-manager and kube-scheduler.",
  },
  {
    file: "secret-kube-apiserver-to-kubelet-signer.yaml",
    secret: "kube-apiserver-to-kubelet-signer",
    asset: "kube-apiserver-to-kubelet-signer",
    description: "Signs the API server's client certificate for kubelets.",
  },
  {
    file: "secret-loadbalancer-serving-signer.yaml",
    secret: "loadbalancer-serving-signer",
    asset: "kube-apiserver-lb-signer",
    description: "Signs the certificates that API servers serve with through load balancers.",
  },
  {
    file: "secret-localhost-serving-signer.yaml",
    secret: "localhost-serving-signer",
    asset: "kube-apiserver-localhost-signer",
    description: "Signs the certificates that API servers serve with on localhost.",
  },
  {
    file: "secret-service-network-serving-signer.yaml",
    secret: "service-network-serving-signer",
    asset: "kube-apiserver-service-network-signer",
    description: "Signs the certificates that API servers serve with on the service network.",
  },
];

/** Returns the initial manifests of a new cluster by file name. */
export async function bootstrapManifests(read: ReadAsset): Promise<ReadonlyMap<string, JsonObject>> {
  const manifests = new Map<string, JsonObject>(constantManifests);
  const bundle = (name: string, namespace: string, annotations: JsonObject, data: JsonObject) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    data,
  });
  const adminCa = await read("admin-kubeconfig-ca-bundle.crt");
  const description = "CA of the certificate of system:admin that the installer issued.";
  manifests.set(
    "configmap-admin-kubeconfig-client-ca.yaml",
    bundle(
      "admin-kubeconfig-client-ca",
      "openshift-config",
      { ...owner, "openshift.io/description": description },
      { "ca-bundle.crt": adminCa },
    ),
  );
  manifests.set(
    "configmap-kubelet-bootstrap-kubeconfig-ca.yaml",
    bundle("kubelet-bootstrap-kubeconfig", managedNamespace, owner, {
      "ca-bundle.crt": await read("kubelet-bootstrap-kubeconfig-ca-bundle.crt"),
    }),
  );
  manifests.set(
    "configmap-sa-token-signing-certs.yaml",
    bundle(
      "sa-token-signing-certs",
      managedNamespace,
      {},
      {
        "service-account-001.pub": await read("service-account.pub"),
      },
    ),
  );
  for (const signer of signers) manifests.set(signer.file, await signerSecret(signer, read));
  manifests.set("secret-bound-sa-token-signing-key.yaml", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "next-bound-service-account-signing-key", namespace: operatorNamespace },
    data: {
      "service-account.key": base64(await read("bound-service-account-signing-key.key")),
      "service-account.pub": base64(await read("bound-service-account-signing-key.pub")),
    },
  });
  return manifests;
}

/** Returns the Secret of a signer. Its annotations contain the validity period, so that the operator can adopt the Secret. */
async function signerSecret({ secret, asset, description }: Signer, read: ReadAsset): Promise<JsonObject> {
  const certificate = await read(`${asset}.crt`);
  const { validFromDate, validToDate, issuer } = new X509Certificate(certificate);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: secret,
      namespace: operatorNamespace,
      annotations: {
        "auth.openshift.io/certificate-not-before": timestamp(validFromDate),
        "auth.openshift.io/certificate-not-after": timestamp(validToDate),
        "auth.openshift.io/certificate-issuer": commonName(issuer),
        ...owner,
        "openshift.io/description": description,
      },
    },
    type: "kubernetes.io/tls",
    data: { "tls.crt": base64(certificate), "tls.key": base64(await read(`${asset}.key`)) },
  };
}

function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

function commonName(distinguishedName: string): string {
  return distinguishedName.match(/^CN=(.*)$/m)?.[1] ?? "";
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function namespace(name: string, podSecurity: string): JsonObject {
  const levels = ["audit", "enforce", "warn"].map((mode) => [
    `pod-security.kubernetes.io/${mode}`,
    podSecurity,
  ]);
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      annotations: { "openshift.io/node-selector": "", "workload.openshift.io/allowed": "management" },
      labels: {
        "openshift.io/run-level": "0",
        "openshift.io/cluster-monitoring": "true",
        ...Object.fromEntries(levels),
      },
    },
  };
}

const rbac = "rbac.authorization.k8s.io";
const nodeProxyRole = { name: "kube-apiserver" };

const constantManifests: readonly (readonly [string, JsonObject])[] = [
  ["00_openshift-kube-apiserver-ns.yaml", namespace("openshift-kube-apiserver", "privileged")],
  ["00_openshift-kube-apiserver-operator-ns.yaml", namespace(operatorNamespace, "restricted")],
  [
    "cluster-role-kube-apiserver.yaml",
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: nodeProxyRole,
      rules: [{ apiGroups: [""], resources: ["nodes/proxy"], verbs: ["get", "create"] }],
    },
  ],
  [
    "cluster-role-binding-kube-apiserver.yaml",
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: nodeProxyRole,
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "kube-apiserver" },
      subjects: [{ apiGroup: rbac, kind: "User", name: "system:kube-apiserver" }],
    },
  ],
];
