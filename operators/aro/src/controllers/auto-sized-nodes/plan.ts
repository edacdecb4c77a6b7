import { isFlagOn } from "@keelson/aro-api";
import { kubeletConfigChange, kubeletConfigRemoval } from "../../machine-configs/kubelet-config-change.ts";
import type { RebootPlanner } from "../../runtime/reboot-gate.ts";

export const configName = "dynamic-node";
const flag = "aro.autosizednodes.enabled";

/** Every node of the pools that every cluster has reserves what fits its size. */
const wanted = {
  metadata: { name: configName },
  spec: {
    autoSizingReserved: true,
    machineConfigPoolSelector: {
      matchExpressions: [{ key: "machineconfiguration.openshift.io/mco-built-in", operator: "Exists" }],
    },
  },
} as const;

/** Without `flag`: while it is off the KubeletConfig goes. */
export const planner: RebootPlanner = {
  reportsAs: "AutoSizedNodes",
  async plan({ flags, objects }) {
    return isFlagOn(flags, flag)
      ? kubeletConfigChange(objects, wanted)
      : kubeletConfigRemoval(objects, configName);
  },
};
