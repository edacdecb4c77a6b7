import { objectAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith } from "@keelson/operator-kit";
import { singleton } from "./inputs.ts";
import { networkInput, networksInUse } from "./networks.ts";

const path = [
  "admission",
  "pluginConfig",
  "network.openshift.io/RestrictedEndpointsAdmission",
  "configuration",
];
const type = { apiVersion: "network.openshift.io/v1", kind: "RestrictedEndpointsAdmissionConfig" };

/** Observes the networks of the cluster. Users must not create Endpoints with addresses in these networks. */
export const observeRestrictedNetworks: ConfigObserver = {
  name: "ObserveRestrictedCIDRs",
  paths: [path],
  inputs: [networkInput],
  observe({ objects, existing }) {
    const network = objects.find(resources.configNetworks, singleton);
    const before = configAt(existing, path);
    if (!network) return { config: configWith(path, { ...objectAt(before), ...type }) };
    const { cluster, service } = networksInUse(network);
    return { config: configWith(path, { ...type, restrictedCIDRs: [...cluster, ...service] }) };
  },
};
