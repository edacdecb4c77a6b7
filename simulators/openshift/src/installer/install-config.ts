import { stringify } from "yaml";
import type { ClusterSettings } from "../settings/cluster-settings.ts";

/** Returns the install configuration that the installer stores in a cluster. It omits the pull secret. */
export function installConfigOf(settings: ClusterSettings): string {
  const { domain, platform, controlPlane, sshAuthorizedKeys } = settings;
  const [name = domain, ...rest] = domain.split(".");
  return stringify({
    apiVersion: "v1",
    metadata: { name },
    baseDomain: rest.join("."),
    controlPlane: {
      architecture: "amd64",
      hyperthreading: "Enabled",
      name: "master",
      platform: { azure: { type: controlPlane.vmSize, zones: controlPlane.zones ?? [] } },
      replicas: controlPlane.replicas,
    },
    compute: [
      { architecture: "amd64", hyperthreading: "Enabled", name: "worker", platform: {}, replicas: 3 },
    ],
    networking: {
      clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      networkType: "OVNKubernetes",
      serviceNetwork: ["172.30.0.0/16"],
    },
    platform: {
      azure: {
        cloudName: "AzurePublicCloud",
        computeSubnet: platform.computeSubnet,
        controlPlaneSubnet: platform.controlPlaneSubnet,
        networkResourceGroupName: platform.networkResourceGroup,
        outboundType: platform.publicLoadBalancer === undefined ? "UserDefinedRouting" : "Loadbalancer",
        region: platform.location,
        resourceGroupName: platform.resourceGroup,
        virtualNetwork: platform.virtualNetwork,
      },
    },
    publish: "External",
    pullSecret: "",
    ...(sshAuthorizedKeys.length > 0 ? { sshKey: sshAuthorizedKeys.join("\n") } : {}),
  });
}
