import { operatorNameOf } from "@keelson/aro-api";
import { minorOf } from "../cluster-versions.ts";
import { defineCollector } from "../collector.ts";

/** Collects the versions of a cluster. `buildId` is the version of the running resource provider. */
export const versions = (buildId: string) =>
  defineCollector({
    name: "emitClusterVersions",
    metrics: {
      "cluster.versions": {
        help: "1 for each cluster. The dimensions have the versions of the cluster, its operator and the service that provisioned it.",
        dimensions: [
          "actualVersion",
          "desiredVersion",
          "provisionedByResourceProviderVersion",
          "resourceProviderVersion",
          "operatorVersion",
          "availableRP",
          "actualMinorVersion",
        ],
      },
    },
    async collect({ view, document, emit }) {
      const { actual = "", desired = "" } = await view.versions();
      const { provisionedBy = "" } = document.openShiftCluster.properties;
      const master = (await view.operatorDeployments()).find(
        ({ metadata }) => metadata.name === operatorNameOf("master"),
      );
      emit("cluster.versions", 1, {
        actualVersion: actual,
        desiredVersion: desired,
        provisionedByResourceProviderVersion: provisionedBy,
        resourceProviderVersion: buildId,
        operatorVersion: master?.metadata.labels?.version ?? "unknown",
        availableRP: buildId === provisionedBy ? "" : buildId,
        actualMinorVersion: minorOf(actual),
      });
    },
  });
