import { numberAt, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

export const networkMtu = defineCollector({
  name: "emitNetworkMTU",
  metrics: {
    "network.mtu": {
      help: "1 for each cluster. The dimensions have the MTU and the type of its network.",
      dimensions: ["mtu", "network_type"],
    },
  },
  async collect({ view, emit, explain }) {
    const network = await view.get(resources.configNetworks, { name: "cluster" });
    const mtu = `${numberAt(network, "status", "clusterNetworkMTU") ?? 0}`;
    const type = stringAt(network, "spec", "networkType") ?? "";
    emit("network.mtu", 1, { mtu, network_type: type });
    explain({ metric: "network.mtu", mtu, network_type: type });
  },
});
