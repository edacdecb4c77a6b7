import { defaultOperatorFlags } from "@keelson/aro-api";
import { stringAt, valueAt } from "@keelson/base";
import { defineCollector } from "../collector.ts";

const defaults = defaultOperatorFlags;
const contactSupport = "ContactSupport";

export const operatorFlags = defineCollector({
  name: "emitOperatorFlagsAndSupportBanner",
  metrics: {
    "cluster.nonstandard.operator.featureflags": {
      help: "1 for a cluster with operator flags that differ from the flags of new clusters. Each flag is a dimension. DNE is the value of a missing flag.",
      dimensions: Object.keys(defaults),
    },
    "cluster.nonstandard.banner": {
      help: "1 for a cluster with a console banner that asks users to contact support.",
      dimensions: ["msg"],
    },
  },
  async collect({ view, emit }) {
    const cluster = await view.aroCluster();
    if (valueAt(cluster, "spec", "operatorflags") !== undefined) {
      const deviating = Object.entries(defaults).flatMap(([flag, standard]) => {
        const value = stringAt(cluster, "spec", "operatorflags", flag);
        return value === standard ? [] : [[flag, value ?? "DNE"]];
      });
      if (deviating.length > 0)
        emit("cluster.nonstandard.operator.featureflags", 1, Object.fromEntries(deviating));
    }
    if (stringAt(cluster, "spec", "banner", "content") === contactSupport)
      emit("cluster.nonstandard.banner", 1, { msg: "contact support" });
  },
});
