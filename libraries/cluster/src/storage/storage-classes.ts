import { KubeError, resources } from "@keelson/kube";
import { compareVersions, firstWorkerProfile, parseVersion } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/** First version that uses CSI drivers for volumes. */
const firstVersionWithDrivers = "4.11.0";

const isDefault = "storageclass.kubernetes.io/is-default-class";

/**
 * Creates a default storage class that encrypts volumes with the customer's key. Does nothing if the customer provided no key
 * (Azure/ARO-RP pkg/cluster/storageclass.go).
 */
export async function configureDefaultStorageClass({ cluster, kube, signal }: ClusterContext): Promise<void> {
  const { diskEncryptionSetId } = firstWorkerProfile(cluster);
  if (!diskEncryptionSetId) return;
  const { standard, encrypted, provisioner } = classesOf(cluster.properties.clusterProfile.version);
  const annotations = { [isDefault]: "false" };
  await kube().mergePatch(
    resources.storageClasses,
    { name: standard },
    { metadata: { annotations } },
    signal,
  );
  // An existing storage class is not updated, because most of its fields are immutable.
  if (await kube().find(resources.storageClasses, { name: encrypted }, signal)) return;
  await kube().create(
    resources.storageClasses,
    {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: encrypted, annotations: { [isDefault]: "true" } },
      provisioner,
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      reclaimPolicy: "Delete",
      parameters: {
        kind: "Managed",
        storageaccounttype: "Premium_LRS",
        diskEncryptionSetID: diskEncryptionSetId,
      },
    },
    signal,
  );
}

function classesOf(version: string) {
  const parsed = parseVersion(version);
  const first = parseVersion(firstVersionWithDrivers);
  const standard = parsed && first && compareVersions(parsed, first) < 0 ? "managed-premium" : "managed-csi";
  return {
    standard,
    encrypted: `${standard}-encrypted-cmk`,
    provisioner: standard === "managed-csi" ? "disk.csi.azure.com" : "kubernetes.io/azure-disk",
  };
}

/**
 * Removes the storage class for Azure Files. Its driver needs storage account keys, which clusters with managed identities do not
 * have.
 */
export async function removeAzureFileCSIStorageClass({ kube, signal }: ClusterContext): Promise<void> {
  const driver = { name: "file.csi.azure.com" };
  const removed = { spec: { storageClassState: "Removed" } };
  try {
    await kube().mergePatch(resources.clusterCsiDrivers, driver, removed, signal);
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 404) throw error;
  }
}
