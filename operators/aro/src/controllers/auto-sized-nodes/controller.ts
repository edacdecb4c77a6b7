import {
  kubeletConfigChanged,
  kubeletConfigPermission,
} from "../../machine-configs/kubelet-config-change.ts";
import { done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { configName, planner } from "./plan.ts";

/**
 * Configures kubelets to reserve memory and CPU according to the node size. While the flag is off, the configuration is removed.
 */
export const autoSizedNodes: RegisteredController = {
  name: "AutoSizedNodes",
  flags: { "aro.autosizednodes.enabled": switchedOn },
  documentation: {
    purpose:
      "KubeletConfig `dynamic-node`: kubelets reserve resources in proportion to the size of their node. Deletes it while the flag is off.",
    improvement: "Waits for the reboot gate. Detects drift immediately.",
  },
  watches: [clusterVersionChanged, kubeletConfigChanged(configName)],
  permissions: [clusterVersionPermission, kubeletConfigPermission],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
