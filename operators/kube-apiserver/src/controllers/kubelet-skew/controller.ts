import { stringAt } from "@keelson/base";
import { watchFor } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { operatorKey } from "@keelson/operator-kit";
import { kubeApiServerController } from "../../runtime/operator-context.ts";
import { kubeletSkew } from "./kubelet-skew.ts";

/** Blocks an upgrade if the kubelets would be too old for the API servers of the new version. */
export const kubeletVersionSkew = kubeApiServerController({
  name: "KubeletVersionSkewController",
  degraded: { type: "KubeletVersionSkewControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  conditions: ["KubeletMinorVersionUpgradeable"],
  watches: [
    watchFor(resources.nodes, operatorKey, {
      where: ({ object, before, type }) => type !== "updated" || versionOf(object) !== versionOf(before),
    }),
  ],
  async reconcile({ parts: { cache, images, operandVersion } }) {
    const kubelets = cache
      .informer(resources.nodes)
      .list()
      .map((node) => ({ node: node.metadata.name, version: versionOf(node) }));
    return { conditions: [kubeletSkew(kubelets, { openShift: images.version, apiServer: operandVersion })] };
  },
});

function versionOf(node: KubeObject | undefined): string {
  return stringAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
}
