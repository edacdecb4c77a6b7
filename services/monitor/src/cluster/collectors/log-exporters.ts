import { numberAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

const namespace = "openshift-azure-logging";
const names = ["otel-exporter-master", "otel-exporter-worker"];
const dimensions = ["desiredNumberScheduled", "name", "namespace", "numberAvailable"] as const;

export const logExporters = defineCollector({
  name: "emitDaemonsetStatuses",
  metrics: {
    "daemonset.statuses": { help: "1 for a log exporter that does not run on every node.", dimensions },
    "genevalogging.otel.cannotstart": { help: "1 for a log exporter without a running pod.", dimensions },
  },
  async collect({ view, emit }) {
    for (const daemonSet of await view.list(resources.daemonSets, namespace)) {
      const { name } = daemonSet.metadata;
      const wanted = numberAt(daemonSet, "status", "desiredNumberScheduled") ?? 0;
      const available = numberAt(daemonSet, "status", "numberAvailable") ?? 0;
      if (!names.includes(name) || wanted === available) continue;
      const values = {
        desiredNumberScheduled: `${wanted}`,
        name,
        namespace,
        numberAvailable: `${available}`,
      };
      emit("daemonset.statuses", 1, values);
      if (available === 0) emit("genevalogging.otel.cannotstart", 1, values);
    }
  },
});
