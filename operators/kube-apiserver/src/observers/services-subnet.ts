import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { bindingFor } from "../config/binding.ts";
import { singleton } from "./inputs.ts";
import { clusterConfigInput, installNetworks, networkInput, serviceNetworks } from "./networks.ts";

/**
 * Observes the service networks. The IP families of these networks also determine the listen address. If the Network is missing,
 * the service network comes from an install-config in the old format. Without such an install-config, the previous values remain.
 */
export const observeServicesSubnet: ConfigObserver = {
  name: "ObserveServicesSubnet",
  paths: [["servicesSubnet"], ["servingInfo", "bindAddress"], ["servingInfo", "bindNetwork"]],
  inputs: [networkInput, clusterConfigInput],
  observe({ objects, existing }) {
    const network = objects.find(resources.configNetworks, singleton);
    const installed = network ? undefined : installNetworks(objects);
    if (!network && !installed) return { config: existing };
    const networks = installed ? [installed.service] : serviceNetworks(network);
    return { config: { servicesSubnet: networks.join(","), servingInfo: { ...bindingFor(networks) } } };
  },
};
