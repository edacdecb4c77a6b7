import { defaultOperatorFlags } from "@keelson/aro-api";
import type { NetworkProfile, OpenShiftCluster } from "./open-shift-cluster.ts";

/**
 * Sets defaults of optional values. Runs after the validation, so an API version can require a property that has a default. A
 * request in an API version without the property gets the default.
 */
export function withDefaults(cluster: OpenShiftCluster): OpenShiftCluster {
  const { properties } = cluster;
  return {
    ...cluster,
    properties: {
      ...properties,
      operatorFlags: properties.operatorFlags ?? defaultOperatorFlags,
      clusterProfile: {
        ...properties.clusterProfile,
        fipsValidatedModules: properties.clusterProfile.fipsValidatedModules ?? "Disabled",
      },
      networkProfile: networkWithDefaults(properties.networkProfile),
      masterProfile: encrypted(properties.masterProfile),
      workerProfiles: properties.workerProfiles.map(encrypted),
      ...(properties.workerProfilesStatus
        ? { workerProfilesStatus: properties.workerProfilesStatus.map(encrypted) }
        : {}),
    },
  };
}

function networkWithDefaults(network: NetworkProfile): NetworkProfile {
  const outboundType = network.outboundType ?? "Loadbalancer";
  const loadBalancerProfile =
    network.loadBalancerProfile ??
    (outboundType === "Loadbalancer" ? { managedOutboundIps: { count: 1 } } : undefined);
  return {
    ...network,
    outboundType,
    preconfiguredNSG: network.preconfiguredNSG ?? "Disabled",
    ...(loadBalancerProfile ? { loadBalancerProfile } : {}),
  };
}

function encrypted<Machine extends { readonly encryptionAtHost?: "Enabled" | "Disabled" }>(
  machine: Machine,
): Machine {
  return machine.encryptionAtHost ? machine : { ...machine, encryptionAtHost: "Disabled" };
}
