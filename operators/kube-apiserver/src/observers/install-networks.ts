import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { clusterConfigInput, installNetworks } from "./networks.ts";

const path = [
  "admissionPluginConfig",
  "openshift.io/RestrictedEndpointsAdmission",
  "configuration",
  "restrictedCIDRs",
];

/** The same by the installer's configuration, where the operator's first README has it. */
export const observeInstallNetworks: ConfigObserver = {
  name: "ObserveInstallConfigCIDRs",
  paths: [path],
  inputs: [clusterConfigInput],
  observe({ objects, existing }) {
    const networks = installNetworks(objects);
    return { config: networks ? configWith(path, [networks.pod, networks.service]) : existing };
  },
};
