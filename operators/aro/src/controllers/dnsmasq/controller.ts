import {
  machineConfigPermissions,
  machineConfigsChanged,
  poolsChanged,
} from "../../machine-configs/observed-configs.ts";
import { type AroController, done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import { configNames, planner } from "./plan.ts";

/** Has every node resolve the cluster's own names itself, whatever DNS the customer has. */
export const dnsmasq: AroController = {
  name: "Dnsmasq",
  // The original has a controller for each kind that it watches.
  conditionNames: ["DnsmasqCluster", "DnsmasqMachineConfig", "DnsmasqMachineConfigPool"],
  flag: "aro.dnsmasq.enabled",
  watches: [clusterVersionChanged, machineConfigsChanged(configNames), poolsChanged],
  permissions: [clusterVersionPermission, ...machineConfigPermissions],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
