import { parseVersion } from "@keelson/model";
import { defineCollector } from "../collector.ts";

export const openShift5 = defineCollector({
  name: "emitOpenShift5Versions",
  metrics: {
    "cluster.openshift5.versions": {
      help: "1 for a cluster with the actual or requested version OpenShift 5.",
      dimensions: ["actualVersion", "desiredVersion"],
    },
  },
  async collect({ view, emit }) {
    const { actual, desired } = await view.versions();
    const [actualVersion, desiredVersion] = [actual, desired].map((version) =>
      isFive(version) ? version : "",
    );
    if (actualVersion || desiredVersion)
      emit("cluster.openshift5.versions", 1, {
        actualVersion: actualVersion ?? "",
        desiredVersion: desiredVersion ?? "",
      });
  },
});

function isFive(version: string | undefined): version is string {
  return version !== undefined && parseVersion(version)?.major === 5;
}
