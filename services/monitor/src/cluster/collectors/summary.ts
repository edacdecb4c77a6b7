import { resources } from "@keelson/kube";
import { minorOf } from "../cluster-versions.ts";
import { defineCollector } from "../collector.ts";
import { goTime } from "../go-time.ts";

export const summary = defineCollector({
  name: "emitSummary",
  period: "hour",
  metrics: {
    "cluster.summary": {
      help: "1 for each cluster. The dimensions have its properties for a dashboard of all clusters.",
      dimensions: [
        "actualVersion",
        "actualMinorVersion",
        "desiredVersion",
        "masterCount",
        "workerCount",
        "provisioningState",
        "createdAt",
      ],
    },
  },
  async collect({ view, document, emit }) {
    const { actual = "", desired = "" } = await view.versions();
    const nodes = await view.list(resources.nodes);
    const { provisioningState, createdAt } = document.openShiftCluster.properties;
    const count = (role: string) =>
      `${nodes.filter(({ metadata: { labels = {} } }) => `node-role.kubernetes.io/${role}` in labels).length}`;
    emit("cluster.summary", 1, {
      actualVersion: actual,
      actualMinorVersion: minorOf(actual),
      desiredVersion: desired,
      masterCount: count("master"),
      workerCount: count("worker"),
      provisioningState,
      createdAt: goTime(createdAt),
    });
  },
});
