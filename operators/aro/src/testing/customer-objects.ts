import { type KubeObject, type KubeResource, resources } from "@keelson/kube";

export interface CustomerObject {
  readonly resource: KubeResource;
  readonly object: Pick<KubeObject, "metadata"> & Readonly<Record<string, unknown>>;
}

const machineApi = "openshift-machine-api";
const role = "machine.openshift.io/cluster-api-machine-role";
const providerSpec = {
  value: {
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "AzureMachineProviderSpec",
    image: { publisher: "azureopenshift", offer: "aro4", sku: "419", version: "419.6.0" },
    osDisk: { diskSizeGB: 128, managedDisk: { diskEncryptionSet: { id: "" } } },
    networkResourceGroup: "customer",
    vnet: "vnet",
    subnet: "worker",
    managedIdentity: "",
  },
};
const pool = (name: string): CustomerObject => ({
  resource: resources.machineConfigPools,
  object: {
    metadata: { name },
    spec: {
      machineConfigSelector: {
        matchExpressions: [{ key: "machineconfiguration.openshift.io/role", operator: "In", values: [name] }],
      },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: "" } },
    },
    status: { conditions: [{ type: "Updated", status: "True" }], machineCount: 3, readyMachineCount: 3 },
  },
});
const machineSet = (name: string, replicas: number): CustomerObject => ({
  resource: resources.machineSets,
  object: {
    metadata: { name, namespace: machineApi, labels: { [role]: "worker" } },
    spec: { replicas, template: { metadata: { labels: { [role]: "worker" } }, spec: { providerSpec } } },
  },
});

/** Valid customer objects that the controllers read. The schemas of their kinds are those of OpenShift. */
export const customerObjects: readonly CustomerObject[] = [
  {
    resource: resources.clusterVersions,
    object: {
      metadata: { name: "version" },
      // Only the status is changed. An admission policy of the operator denies changes of a specification that it cannot
      // evaluate.
      status: {
        desired: { version: "4.19.24", image: "quay.io/example/release" },
        history: [{ version: "4.19.24", state: "Completed", image: "quay.io/example/release" }],
        conditions: [{ type: "Available", status: "True" }],
      },
    },
  },
  pool("master"),
  pool("worker"),
  machineSet("demo-x1x2x-worker-eastus1", 1),
  machineSet("demo-x1x2x-worker-eastus2", 2),
  {
    resource: resources.machines,
    object: {
      metadata: { name: "demo-x1x2x-master-0", namespace: machineApi, labels: { [role]: "master" } },
      spec: { providerSpec },
    },
  },
  {
    resource: resources.configImages,
    object: { metadata: { name: "cluster" }, spec: { registrySources: { allowedRegistries: ["quay.io"] } } },
  },
  {
    resource: resources.ingressControllers,
    object: {
      metadata: { name: "default", namespace: "openshift-ingress-operator" },
      spec: { replicas: 2, defaultCertificate: { name: "9d0e8a5c-ingress" } },
    },
  },
  { resource: resources.operatorDnses, object: { metadata: { name: "default" }, spec: { servers: [] } } },
  {
    resource: resources.proxies,
    object: { metadata: { name: "cluster" }, spec: {}, status: { httpProxy: "" } },
  },
  {
    resource: resources.imageRegistryConfigs,
    object: {
      metadata: { name: "cluster" },
      spec: { storage: { azure: { accountName: "imageregistryabc123", container: "images" } } },
    },
  },
  {
    resource: resources.operatorNetworks,
    object: {
      metadata: { name: "cluster" },
      spec: {
        defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { ipsecConfig: { mode: "Disabled" } } },
      },
    },
  },
  {
    resource: resources.controlPlaneMachineSets,
    object: {
      metadata: { name: "cluster", namespace: machineApi },
      spec: { state: "Inactive", replicas: 3 },
    },
  },
  {
    resource: resources.securityContextConstraints,
    object: {
      metadata: { name: "privileged" },
      allowPrivilegedContainer: true,
      allowedCapabilities: ["*"],
      priority: null,
      users: ["system:admin"],
      volumes: ["*"],
    },
  },
];

export interface CustomerText extends CustomerObject {
  readonly member: string;
}

const secretText = (
  namespace: string,
  name: string,
  member: string,
  text: string,
  type = "Opaque",
): CustomerText => ({
  resource: resources.secrets,
  member,
  object: { metadata: { namespace, name }, type, data: { [member]: Buffer.from(text).toString("base64") } },
});
const configText = (namespace: string, name: string, member: string, text: string): CustomerText => ({
  resource: resources.configMaps,
  member,
  object: { metadata: { namespace, name }, data: { [member]: text } },
});

/** Valid JSON and YAML strings that controllers read from objects. */
export const customerTexts: readonly CustomerText[] = [
  secretText(
    "openshift-azure-operator",
    "cluster",
    ".dockerconfigjson",
    '{"auths":{"arosvc.azurecr.io":{"auth":"eDp5"}}}',
  ),
  secretText(
    "openshift-monitoring",
    "alertmanager-main",
    "alertmanager.yaml",
    "receivers:\n  - name: Default\n",
  ),
  configText("openshift-config", "cloud-provider-config", "config", '{"disableOutboundSNAT":true}'),
  configText("openshift-monitoring", "cluster-monitoring-config", "config.yaml", "prometheusK8s: {}\n"),
];

/**
 * Returns the object with different content. A ConfigMap cannot contain invalid UTF-8, so invalid bytes are replaced by question
 * marks.
 */
export function withText({ resource, object, member }: CustomerText, text: Buffer): CustomerObject["object"] {
  const content =
    resource.kind === "Secret" ? text.toString("base64") : text.toString("utf8").replaceAll("\ufffd", "?");
  return { ...object, data: { [member]: content } };
}
