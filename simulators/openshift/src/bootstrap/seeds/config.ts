import type { KubeObject } from "@keelson/apiserver";
import { featureGatesOf } from "../../release/feature-gates.ts";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";

const config = (kind: string, spec: object, status?: object): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind,
  metadata: { name: "cluster" },
  spec,
  ...(status ? { status } : {}),
});

const network = {
  clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
  networkType: "OVNKubernetes",
  serviceNetwork: ["172.30.0.0/16"],
};

const operatorSources = [
  "certified-operators",
  "community-operators",
  "redhat-marketplace",
  "redhat-operators",
].map((name) => ({ disabled: false, name, status: "Success" }));

/**
 * Returns the cluster-wide configuration of a new cluster (config.openshift.io/v1). All objects except one have the name
 * `cluster`.
 */
export function configSeeds(settings: ClusterSettings): readonly KubeObject[] {
  const { domain, infraId, platform } = settings;
  return [
    {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
      spec: {
        clusterID: settings.clusterId,
        channel: `stable-${settings.openShiftVersion.split(".").slice(0, 2).join(".")}`,
        upstream: "https://api.openshift.com/api/upgrades_info/v1/graph",
      },
    },
    config(
      "Infrastructure",
      {
        cloudConfig: { key: "config", name: "cloud-provider-config" },
        platformSpec: { azure: {}, type: "Azure" },
      },
      {
        apiServerInternalURI: `https://api-int.${domain}:6443`,
        apiServerURL: `https://api.${domain}:6443`,
        controlPlaneTopology: "HighlyAvailable",
        cpuPartitioning: "None",
        etcdDiscoveryDomain: "",
        infrastructureName: infraId,
        infrastructureTopology: "HighlyAvailable",
        platform: "Azure",
        platformStatus: {
          azure: {
            cloudName: "AzurePublicCloud",
            networkResourceGroupName: platform.networkResourceGroup,
            resourceGroupName: platform.resourceGroup,
          },
          type: "Azure",
        },
      },
    ),
    config("APIServer", { audit: { profile: "Default" } }),
    config("Authentication", { oauthMetadata: { name: "" }, serviceAccountIssuer: "", type: "" }),
    config("Build", {}),
    config("Console", { authentication: { logoutRedirect: "" } }),
    config("DNS", { baseDomain: domain, platform: { type: "" } }),
    config("FeatureGate", {}, { featureGates: featureGatesOf(undefined, [settings.openShiftVersion]) }),
    config(
      "Image",
      { additionalTrustedCA: { name: "" } },
      { internalRegistryHostname: "image-registry.openshift-image-registry.svc:5000" },
    ),
    config(
      "Ingress",
      { domain: `apps.${domain}`, loadBalancer: { platform: { type: "" } } },
      { componentRoutes: [], defaultPlacement: "Workers" },
    ),
    config("InsightsDataGather", { gatherConfig: { gatherers: { mode: "All" } } }),
    config("Network", { ...network, externalIP: { policy: {} } }, { ...network, clusterNetworkMTU: 1400 }),
    config("Node", {}),
    config("OAuth", {}),
    config("OperatorHub", {}, { sources: operatorSources }),
    config("Project", { projectRequestMessage: "" }),
    config("Proxy", { trustedCA: { name: "" } }, {}),
    config("Scheduler", { mastersSchedulable: false, policy: { name: "" } }),
  ];
}
