import { isFlagOn } from "@keelson/aro-api";
import { kubeletConfigChange, kubeletConfigRemoval } from "../../machine-configs/kubelet-config-change.ts";
import type { RebootPlanner } from "../../runtime/reboot-gate.ts";

export const configName = "dynamic-node";
const flag = "aro.autosizednodes.enabled";

/** KubeletConfig for the built-in pools. Nodes reserve resources in proportion to their size. */
const wanted = {
  metadata: { name: configName },
  spec: {
    autoSizingReserved: true,
    machineConfigPoolSelector: {
      matchExpressions: [{ key: "machineconfiguration.openshift.io/mco-built-in", operator: "Exists" }],
    },
  },
} as const;

/** The planner has no `flag`, so that it also runs while the controller's flag is off. It must then remove the KubeletConfig. */
export const planner: RebootPlanner = {
  reportsAs: "AutoSizedNodes",
  async plan({ flags, objects }) {
    return isFlagOn(flags, flag)
      ? kubeletConfigChange(objects, wanted)
      : kubeletConfigRemoval(objects, configName);
  },
};
