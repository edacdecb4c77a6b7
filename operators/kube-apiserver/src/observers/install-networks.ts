import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { clusterConfigInput, installNetworks } from "./networks.ts";

const path = [
  "admissionPluginConfig",
  "openshift.io/RestrictedEndpointsAdmission",
  "configuration",
  "restrictedCIDRs",
];

/**
 * Observes the restricted networks in the installer's configuration. Old clusters have the installer's configuration instead of a
 * Network.
 */
export const observeInstallNetworks: ConfigObserver = {
  name: "ObserveInstallConfigCIDRs",
  paths: [path],
  inputs: [clusterConfigInput],
  observe({ objects, existing }) {
    const networks = installNetworks(objects);
    return { config: networks ? configWith(path, [networks.pod, networks.service]) : existing };
  },
};
