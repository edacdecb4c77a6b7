import { createCertificateAuthority, Metrics, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import { type OperatorLog, operatorKey } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, startKitOperator } from "@keelson/operator-kit/testing";
import { namespaces } from "../config/namespaces.ts";
import { controllersOf } from "../controllers/controllers.ts";
import type { OperatorContext } from "../runtime/operator-context.ts";
import { grantRights, operatorAccount } from "./operator-account.ts";

const version = "4.19.24";
const operandVersion = "1.32.9";

/** Kinds that the operator reads. */
export const operatorKinds = [
  resources.kubeApiServers,
  resources.apiServers,
  resources.authentications,
  resources.configNetworks,
  resources.infrastructures,
  resources.featureGates,
  resources.proxies,
  resources.clusterVersions,
  resources.configImages,
  resources.schedulers,
  resources.configNodes,
  resources.clusterOperators,
  resources.prometheusRules,
  resources.securityContextConstraints,
];

/** Creates the objects of a new cluster with three masters, in which no operator has run yet. */
export async function seedCluster(cluster: KitCluster): Promise<void> {
  await seedConfiguration(cluster);
  await seedAuthorities(cluster);
}

/** Creates the operator's configuration, but not etcd and the installer's CAs and keys. */
export async function seedConfiguration(cluster: KitCluster): Promise<void> {
  const { put } = cluster;
  for (const name of Object.values(namespaces)) await put(resources.namespaces, { metadata: { name } });
  await grantRights(cluster, { version, kubernetesVersion: operandVersion });
  const metadata = operatorKey;
  await put(resources.kubeApiServers, { metadata, spec: { managementState: "Managed" } });
  await put(resources.apiServers, { metadata, spec: {} });
  await put(resources.authentications, { metadata, spec: {} });
  await put(resources.featureGates, {
    metadata,
    spec: {},
    status: {
      featureGates: [
        {
          version,
          enabled: [{ name: "EventTTL" }, { name: "OpenShiftPodSecurityAdmission" }],
          disabled: [{ name: "KMSEncryption" }],
        },
      ],
    },
  });
  const networks = {
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.30.0.0/16"],
  };
  await put(resources.configNetworks, { metadata, spec: { ...networks, networkType: "OVNKubernetes" } });
  // The kind has no status subresource.
  await cluster.api.mergePatch(resources.configNetworks, operatorKey, { status: networks }, cluster.signal);
  await put(resources.infrastructures, {
    metadata,
    spec: { cloudConfig: { name: "" }, platformSpec: { type: "Azure", azure: {} } },
    status: {
      apiServerURL: "https://api.test.example:6443",
      apiServerInternalURI: "https://api-int.test.example:6443",
      controlPlaneTopology: "HighlyAvailable",
      infrastructureTopology: "HighlyAvailable",
      infrastructureName: "test-abcde",
      etcdDiscoveryDomain: "",
      platform: "Azure",
    },
  });
  await put(resources.configImages, {
    metadata,
    spec: {},
    status: { internalRegistryHostname: "registry.svc:5000" },
  });
  for (const resource of [resources.proxies, resources.schedulers, resources.configNodes])
    await put(resource, { metadata, spec: {} });
}

/** Creates etcd members and the CAs and keys for verifying clients, kubelets and tokens. */
export async function seedAuthorities({ put }: KitCluster): Promise<void> {
  const { certificatePem } = await createCertificateAuthority("installer", 3_650);
  const bundle = { "ca-bundle.crt": certificatePem };
  const configMap = (namespace: string, name: string, data: Readonly<Record<string, string>>) =>
    put(resources.configMaps, { metadata: { namespace, name }, data });
  await configMap(namespaces.config, "admin-kubeconfig-client-ca", bundle);
  await configMap(namespaces.config, "etcd-serving-ca", bundle);
  await configMap(namespaces.managed, "csr-controller-ca", bundle);
  await configMap(namespaces.managed, "sa-token-signing-certs", { "service-account-001.pub": "PUBLIC" });
  await configMap(namespaces.etcd, "etcd-endpoints", { a: "10.0.0.7", b: "10.0.0.8", c: "10.0.0.9" });
  await put(resources.secrets, {
    metadata: { namespace: namespaces.config, name: "etcd-client" },
    type: "kubernetes.io/tls",
    data: { "tls.crt": "Q0VSVA==", "tls.key": "S0VZ" },
  });
}

/**
 * Starts all controllers of the operator in the test process. The controllers have only the permissions of the operator's service
 * account.
 */
export function startTestOperator(
  cluster: KitCluster,
  metrics = new Metrics(),
  log: OperatorLog = { level: "Normal", set: () => undefined },
): Promise<KitOperator> {
  const expiry = metrics.gauge({ name: "end", help: "x", labels: ["namespace", "name"] });
  const images = { operand: "hyperkube:1", operator: "operator:1", version };
  return startKitOperator<OperatorContext>(cluster, {
    resource: resources.kubeApiServers,
    instance: "kube-apiserver",
    namespace: namespaces.operator,
    userName: operatorAccount,
    controllers: controllersOf({ images, operandVersion, log, namespacePauseMs: 1 }),
    parts: (parts) => ({ ...parts, images, operandVersion, build: "test", metrics, expiry }),
  });
}

/** Sets the token of the recovery account, as the token controller does in a real cluster. */
export async function fillRecoveryToken({ api, signal, eventually }: KitCluster): Promise<void> {
  const account = { namespace: namespaces.target, name: "localhost-recovery-client" };
  const secret = { namespace: namespaces.target, name: "localhost-recovery-client-token" };
  await eventually(async () => {
    const { metadata } = await api.get(resources.serviceAccounts, account, signal);
    const found = await api.get(resources.secrets, secret, signal);
    if (valueAt(found, "data", "token")) return;
    const annotations = { "kubernetes.io/service-account.uid": metadata.uid ?? "" };
    const data = { token: "VA==", "ca.crt": "Q0E=", namespace: "bnM=" };
    await api.mergePatch(resources.secrets, secret, { metadata: { annotations }, data }, signal);
  });
}

export function conditionIn(configuration: KubeObject, type: string) {
  const conditions = valueAt(configuration, "status", "conditions");
  const found: unknown = Array.isArray(conditions)
    ? conditions.find((each) => stringAt(each, "type") === type)
    : undefined;
  return {
    status: stringAt(found, "status"),
    reason: stringAt(found, "reason"),
    message: stringAt(found, "message") ?? "",
  };
}

export const inTarget = (name: string): Required<ObjectKey> => ({ namespace: namespaces.target, name });
