import type { KubeObject } from "@keelson/apiserver";
import { marketplaceImage } from "../controllers/machines/provider-spec.ts";
import type { ClusterSettings } from "../settings/cluster-settings.ts";

/** Returns the Machines of the control plane. The installer creates their virtual machines before the API server exists. */
export function masterMachines(settings: ClusterSettings): readonly KubeObject[] {
  const { infraId, platform, controlPlane, openShiftVersion } = settings;
  const { zones = [] } = controlPlane;
  return Array.from({ length: controlPlane.replicas }, (_, index) => ({
    apiVersion: "machine.openshift.io/v1beta1",
    kind: "Machine",
    metadata: {
      namespace: "openshift-machine-api",
      name: `${infraId}-master-${index}`,
      labels: {
        "machine.openshift.io/cluster-api-cluster": infraId,
        "machine.openshift.io/cluster-api-machine-role": "master",
        "machine.openshift.io/cluster-api-machine-type": "master",
      },
    },
    spec: {
      lifecycleHooks: {},
      metadata: {},
      providerSpec: {
        value: {
          apiVersion: "machine.openshift.io/v1beta1",
          kind: "AzureMachineProviderSpec",
          credentialsSecret: { name: "azure-cloud-credentials", namespace: "openshift-machine-api" },
          image: marketplaceImage(openShiftVersion),
          internalLoadBalancer: platform.internalLoadBalancer,
          location: platform.location,
          networkResourceGroup: platform.networkResourceGroup,
          osDisk: { diskSizeGB: 1024, managedDisk: { storageAccountType: "Premium_LRS" }, osType: "Linux" },
          publicLoadBalancer: platform.publicLoadBalancer ?? "",
          resourceGroup: platform.resourceGroup,
          subnet: platform.controlPlaneSubnet,
          userDataSecret: { name: "master-user-data" },
          vmSize: controlPlane.vmSize,
          vnet: platform.virtualNetwork,
          ...(zones.length > 0 ? { zone: zones[index % zones.length] } : {}),
        },
      },
    },
  }));
}
