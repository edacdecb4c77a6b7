import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { singleton } from "./inputs.ts";
import { networkInput } from "./networks.ts";

const argument = "service-node-port-range";

export const observeNodePortRange: ConfigObserver = {
  name: "ObserveServicesNodePortRange",
  paths: [argumentPath(argument)],
  inputs: [networkInput],
  observe({ objects }) {
    const network = objects.find(resources.configNetworks, singleton);
    const range = stringAt(network, "spec", "serviceNodePortRange") ?? "";
    if (range !== "") assertPortRange(range);
    return { config: withArguments({ [argument]: range === "" ? undefined : [range] }) };
  },
};

/** Validates a port range in the formats of API servers: `port`, `first-last` or `first+count`. */
function assertPortRange(range: string): void {
  const match = range.trim().match(/^(\d{1,5})(?:([-+])(\d{1,5}))?$/);
  const first = Number(match?.[1]);
  const second = match?.[3] === undefined ? first : Number(match[3]);
  const last = match?.[2] === "+" ? first + second : second;
  if (!match || last < first || last > 65_535)
    throw new Error(
      `networks.config.openshift.io/cluster: spec.serviceNodePortRange: "${range}" is not a range of ports such as 30000-32767`,
    );
}
