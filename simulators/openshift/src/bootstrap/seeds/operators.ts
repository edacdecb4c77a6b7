import type { KubeObject } from "@keelson/apiserver";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";

const managed = { logLevel: "Normal", managementState: "Managed", operatorLogLevel: "Normal" };

const operator = (kind: string, spec: object = managed): KubeObject => ({
  apiVersion: "operator.openshift.io/v1",
  kind,
  metadata: { name: "cluster" },
  spec,
});

/** Returns the configuration objects of operators in a new cluster (operator.openshift.io/v1 and similar groups). */
export function operatorSeeds(settings: ClusterSettings): readonly KubeObject[] {
  return [
    operator("Authentication"),
    operator("CloudCredential", { ...managed, credentialsMode: "" }),
    operator("Console", { ...managed, customization: {} }),
    operator("Etcd"),
    operator("KubeAPIServer"),
    operator("KubeControllerManager"),
    operator("KubeScheduler"),
    operator("Network", {
      ...managed,
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
      defaultNetwork: { ovnKubernetesConfig: { genevePort: 6081, mtu: 1400 }, type: "OVNKubernetes" },
      serviceNetwork: ["172.30.0.0/16"],
    }),
    operator("OpenShiftAPIServer"),
    operator("OpenShiftControllerManager"),
    operator("Storage"),
    operator("Config"),
    operator("CSISnapshotController"),
    operator("InsightsOperator"),
    operator("KubeStorageVersionMigrator"),
    operator("MachineConfiguration"),
    operator("OLM"),
    operator("ServiceCA"),
    ...["disk.csi.azure.com", "file.csi.azure.com"].map((name) => ({
      ...operator("ClusterCSIDriver"),
      metadata: { name },
    })),
    {
      ...operator("DNS", { ...managed, nodePlacement: {}, upstreamResolvers: {} }),
      metadata: { name: "default" },
    },
    {
      ...operator("IngressController", {
        clientTLS: { clientCA: { name: "" }, clientCertificatePolicy: "" },
        domain: `apps.${settings.domain}`,
        replicas: 2,
      }),
      metadata: { namespace: "openshift-ingress-operator", name: "default" },
    },
    imageRegistryConfig(settings),
    {
      apiVersion: "imageregistry.operator.openshift.io/v1",
      kind: "ImagePruner",
      metadata: { name: "cluster" },
      spec: { failedJobsHistoryLimit: 3, ignoreInvalidImageReferences: true, schedule: "", suspend: false },
    },
    machineConfigPool("master"),
    machineConfigPool("worker"),
  ];
}

/** Returns the configuration of the image registry. */
export function imageRegistryConfig(settings: ClusterSettings): KubeObject {
  return {
    apiVersion: "imageregistry.operator.openshift.io/v1",
    kind: "Config",
    metadata: { name: "cluster" },
    spec: { ...managed, replicas: 2, ...registryStorage(settings) },
    status: { ...registryStorage(settings), storageManaged: false, readyReplicas: 0 },
  };
}

/** Returns the storage account settings of the image registry. Without a storage account, images are not persistent. */
function registryStorage({ platform }: ClusterSettings): Record<string, unknown> {
  const { registryStorageAccount: accountName } = platform;
  if (accountName === undefined) return { storage: { emptyDir: {}, managementState: "Unmanaged" } };
  return {
    storage: {
      azure: {
        accountName,
        cloudName: "AzurePublicCloud",
        container: "image-registry",
      },
      managementState: "Unmanaged",
    },
  };
}

function machineConfigPool(role: "master" | "worker"): KubeObject {
  const label = "machineconfiguration.openshift.io/role";
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfigPool",
    metadata: {
      name: role,
      labels: {
        "machineconfiguration.openshift.io/mco-built-in": "",
        [`pools.operator.machineconfiguration.openshift.io/${role}`]: "",
      },
    },
    spec: {
      machineConfigSelector: { matchLabels: { [label]: role } },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${role}`]: "" } },
      paused: false,
    },
  };
}
