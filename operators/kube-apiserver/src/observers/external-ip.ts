import { parseCidr, stringsAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configWith } from "@keelson/operator-kit";
import { singleton } from "./inputs.ts";
import { networkInput } from "./networks.ts";

const path = ["admission", "pluginConfig", "network.openshift.io/ExternalIPRanger", "configuration"];

/** Observes the external IP addresses that Services may use. Default: none. */
export const observeExternalIpPolicy: ConfigObserver = {
  name: "ObserveExternalIPPolicy",
  paths: [path],
  inputs: [networkInput],
  observe({ objects }) {
    const externalIp = valueAt(objects.find(resources.configNetworks, singleton), "spec", "externalIP");
    const networks = (at: string, ...members: readonly string[]) => {
      const cidrs = stringsAt(externalIp, ...members);
      const wrong = cidrs.find((cidr) => !parseCidr(cidr));
      if (wrong !== undefined)
        throw new Error(
          `networks.config.openshift.io/cluster: spec.externalIP.${at}: invalid CIDR address: ${wrong}`,
        );
      return cidrs;
    };
    const rejected = networks("policy.rejectedCIDRs", "policy", "rejectedCIDRs");
    const allowed = networks("policy.allowedCIDRs", "policy", "allowedCIDRs");
    const assigned = networks("autoAssignCIDRs", "autoAssignCIDRs");
    const rules = [...rejected.map((cidr) => `!${cidr}`), ...allowed];
    return {
      config: configWith(path, {
        apiVersion: "network.openshift.io/v1",
        kind: "ExternalIPRangerAdmissionConfig",
        allowIngressIP: assigned.length > 0,
        ...(rules.length > 0 ? { externalIPNetworkCIDRs: rules } : {}),
      }),
    };
  },
};
