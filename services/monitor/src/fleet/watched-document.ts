import type { ClusterDocument } from "@keelson/model";

/** Returns the properties of a cluster's document that the monitor caches. Undefined if the cluster is not monitored. */
export function watchedDocument(document: ClusterDocument): ClusterDocument | undefined {
  const { properties } = document.openShiftCluster;
  const unfinished = ["Creating", "Deleting"];
  const { provisioningState, failedProvisioningState = "" } = properties;
  if (unfinished.includes(provisioningState)) return undefined;
  if (provisioningState === "Failed" && unfinished.includes(failedProvisioningState)) return undefined;
  const {
    // Encrypted secrets are dropped, because they are the largest part of a document and no metric needs them.
    sshKey: _sshKey,
    aroSREKubeconfig: _sre,
    userAdminKubeconfig: _user,
    kubeadminPassword: _password,
    installState: _state,
    installGraphKey: _graphKey,
    registryProfiles: _registries,
    clusterIdentityCredentials: _credentials,
    adminKubeconfig,
    aroServiceKubeconfig,
    clusterProfile: { pullSecret: _pullSecret, boundServiceAccountSigningKey: _key, ...clusterProfile },
    ...kept
  } = properties;
  // The service's kubeconfig is preferred over the administrator's kubeconfig.
  const kubeconfig = aroServiceKubeconfig
    ? { aroServiceKubeconfig }
    : adminKubeconfig
      ? { adminKubeconfig }
      : {};
  return {
    ...document,
    openShiftCluster: {
      ...document.openShiftCluster,
      properties: { ...kept, clusterProfile, ...kubeconfig },
    },
  };
}
