import {
  machineConfigPermissions,
  machineConfigsChanged,
  poolsChanged,
} from "../../machine-configs/observed-configs.ts";
import { done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { switchedOff, switchedOn } from "../../runtime/flags.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { configNames, planner } from "./plan.ts";

/**
 * Configures every node to resolve the cluster's own names locally. These names then resolve even if the customer's DNS fails.
 */
export const dnsmasq: RegisteredController = {
  name: "Dnsmasq",
  // ARO-RP has a separate controller for each watched kind, and each of them sets separate conditions. This controller sets the
  // conditions of all of them.
  conditionNames: ["DnsmasqCluster", "DnsmasqMachineConfig", "DnsmasqMachineConfigPool"],
  flag: "aro.dnsmasq.enabled",
  flags: { "aro.dnsmasq.enabled": switchedOn, "aro.restartdnsmasq.enabled": switchedOff },
  documentation: {
    purpose: "MachineConfig `99-{pool}-aro-dns` of every pool, owned by the pool.",
    improvement:
      "Creates missing objects and repairs owners at any time. Other changes wait for the reboot gate. Validates domains. Does not rewrite the original's configurations if they are equivalent. Nodes do not forward DNS queries for the cluster's names, even for record types other than A.",
  },
  watches: [clusterVersionChanged, machineConfigsChanged(configNames), poolsChanged],
  permissions: [clusterVersionPermission, ...machineConfigPermissions],
  async reconcile(request) {
    const gate = await rebootGate(request, planner.reportsAs);
    await makeChanges(request, gate, await planner.plan(request));
    return done;
  },
};
