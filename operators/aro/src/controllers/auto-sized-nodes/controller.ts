import {
  kubeletConfigChanged,
  kubeletConfigPermission,
} from "../../machine-configs/kubelet-config-change.ts";
import { type AroController, done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import { configName, planner } from "./plan.ts";

/** Has kubelets reserve what fits the size of their node; with its flag off, it takes that back. */
export const autoSizedNodes: AroController = {
  name: "AutoSizedNodes",
  watches: [clusterVersionChanged, kubeletConfigChanged(configName)],
  permissions: [clusterVersionPermission, kubeletConfigPermission],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
