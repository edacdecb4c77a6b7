import { isFlagOn, singleton } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOff } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { controlPlaneMachineSets } = resources;
const key = { namespace: "openshift-machine-api", name: "cluster" };
const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };

/**
 * Deletes an active ControlPlaneMachineSet unless the flag allows it. An active ControlPlaneMachineSet could replace masters, but
 * only the service may replace masters. After the deletion, the platform recreates the ControlPlaneMachineSet as inactive.
 */
export const cpms: RegisteredController = {
  name: "CPMS",
  flags: { "aro.cpms.enabled": switchedOff },
  documentation: {
    purpose: "Deletes an active ControlPlaneMachineSet `cluster` while the flag is off.",
    improvement: "Tolerates clusters that do not serve the kind yet.",
  },
  watches: [watchFor(controlPlaneMachineSets, singleton, { selection, where: named(key.name) })],
  permissions: [
    may([...reading, "delete"], "machine.openshift.io", ["controlplanemachinesets"], {
      namespace: key.namespace,
    }),
  ],
  async reconcile({ cache, flags, objects }) {
    if (isFlagOn(flags, "aro.cpms.enabled")) return done;
    // This read uses only the cache. If the server does not serve the kind, the cache is empty.
    const live = cache.known(controlPlaneMachineSets, key)?.object;
    if (live && stringAt(live, "spec", "state") !== "Inactive")
      await objects.remove(controlPlaneMachineSets, key);
    return done;
  },
};
