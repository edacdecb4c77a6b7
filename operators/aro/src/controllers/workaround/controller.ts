import { singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { allOf, labelsChanged, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import {
  kubeletConfigChanged,
  kubeletConfigPermission,
} from "../../machine-configs/kubelet-config-change.ts";
import { machineConfigPermissions, machineConfigsChanged } from "../../machine-configs/observed-configs.ts";
import { done } from "../../runtime/aro-controller.ts";
import { clusterVersionChanged, clusterVersionPermission } from "../../runtime/cluster-version.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { Request } from "../../runtime/operator-context.ts";
import { makeChanges, rebootGate } from "../../runtime/reboot-gate.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { network } from "./dirty-frag.ts";
import { kubeletConfigName, workerPool } from "./system-reserved.ts";
import type { Workaround } from "./workaround.ts";
import { flag, reportsAs, workarounds } from "./workarounds.ts";

/** Mitigates OpenShift defects that are not fixed in the cluster's release. */
export const workaround: RegisteredController = {
  name: reportsAs,
  flag,
  flags: {
    "aro.workaround.copyfail.enabled": switchedOn,
    "aro.workaround.dirtyfrag.enabled": switchedOn,
    "aro.workaround.enabled": switchedOn,
  },
  documentation: {
    purpose:
      "MachineConfigs `99-master-disable-algif-aead` and `99-master-disable-dirtyfrag`. KubeletConfig `aro-limits` and label `aro.openshift.io/limits` of pool `worker`.",
    improvement:
      "Adds a missing mitigation immediately. Removes it immediately if its flag is switched off or IPsec needs the kernel modules. Other changes wait for the reboot gate. Does not need an hourly reconcile.",
  },
  watches: [
    clusterVersionChanged,
    machineConfigsChanged(/^99-master-disable-(?:algif-aead|dirtyfrag)$/),
    kubeletConfigChanged(kubeletConfigName),
    watchFor(resources.machineConfigPools, singleton, {
      where: allOf(named(workerPool.name), labelsChanged),
    }),
    watchFor(resources.operatorNetworks, singleton, {
      selection: { fieldSelector: `metadata.name=${network.name}` },
      where: named(network.name),
    }),
  ],
  permissions: [
    clusterVersionPermission,
    ...machineConfigPermissions,
    kubeletConfigPermission,
    may(["patch"], "machineconfiguration.openshift.io", ["machineconfigpools"], {
      resourceNames: [workerPool.name],
    }),
    may(reading, "operator.openshift.io", ["networks"]),
  ],
  async reconcile(request) {
    const failures: string[] = [];
    for (const each of workarounds) failures.push(...(await failuresOf(each, request)));
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return done;
  },
};

/** Runs one workaround and returns its errors. A failed workaround does not block the next one. */
async function failuresOf({ name, plan }: Workaround, request: Request): Promise<readonly string[]> {
  const failed = (what: string) => (error: unknown) => `workaround ${name} ${what}: ${messageOf(error)}`;
  const changes = await plan(request).catch(failed("failed checking requirement"));
  if (typeof changes === "string") return [changes];
  if (changes.length === 0) return [];
  const made = async () => makeChanges(request, await rebootGate(request, reportsAs), changes);
  const failure = await made().then(() => undefined, failed("returned error"));
  return failure === undefined ? [] : [failure];
}
