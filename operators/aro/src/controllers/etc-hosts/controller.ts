import {
  machineConfigPermissions,
  machineConfigsChanged,
  poolsChanged,
} from "../../machine-configs/observed-configs.ts";
import { type AroController, done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import { configNames, planner } from "./plan.ts";

/** Has every node find the API server and the gateway while its DNS is broken. */
export const etcHosts: AroController = {
  name: "EtcHosts",
  // The original has a controller for each kind that it watches.
  conditionNames: ["EtcHostsCluster", "EtcHostsMachineConfig"],
  flag: "aro.etchosts.enabled",
  watches: [clusterVersionChanged, machineConfigsChanged(configNames), poolsChanged],
  permissions: [clusterVersionPermission, ...machineConfigPermissions],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
