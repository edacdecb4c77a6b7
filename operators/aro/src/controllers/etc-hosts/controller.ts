import {
  machineConfigPermissions,
  machineConfigsChanged,
  poolsChanged,
} from "../../machine-configs/observed-configs.ts";
import { done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { configNames, planner } from "./plan.ts";

/** Configures every node to resolve the names of the API server and the gateway even if DNS fails. */
export const etcHosts: RegisteredController = {
  name: "EtcHosts",
  // ARO-RP has a separate controller for each watched kind, and each of them sets separate conditions. This controller sets the
  // conditions of all of them.
  conditionNames: ["EtcHostsCluster", "EtcHostsMachineConfig"],
  flag: "aro.etchosts.enabled",
  flags: { "aro.etchosts.enabled": switchedOn, "aro.etchosts.managed": switchedOn },
  documentation: {
    purpose:
      "MachineConfig `99-{pool}-aro-etc-hosts-gateway-domains` of every pool, owned by the pool. Deletes it while `aro.etchosts.managed` is off.",
    improvement:
      "All changes, except repairs of owner references, wait for the reboot gate. The systemd unit is a oneshot service, and its script exits at the first failure. Validates addresses and domains.",
  },
  watches: [clusterVersionChanged, machineConfigsChanged(configNames), poolsChanged],
  permissions: [clusterVersionPermission, ...machineConfigPermissions],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
