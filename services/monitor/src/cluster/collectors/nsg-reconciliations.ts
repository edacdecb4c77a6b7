import { defineCollector } from "../collector.ts";

const annotation = "aro.openshift.io/lastSubnetReconcileTimestamp";
const recentMs = 70_000;

export const nsgReconciliations = defineCollector({
  name: "emitNSGReconciliation",
  metrics: {
    "nsg.reconciliations": {
      help: "1 if the operator restored a subnet's network security group within the last 70 seconds.",
      dimensions: [],
    },
  },
  async collect({ view, emit, now }) {
    const text = (await view.aroCluster()).metadata.annotations?.[annotation];
    if (text === undefined) return;
    const at = Date.parse(text);
    if (Number.isNaN(at)) throw new Error(`annotation ${annotation} is no time`);
    if (now.getTime() - at < recentMs) emit("nsg.reconciliations", 1, {});
  },
});
