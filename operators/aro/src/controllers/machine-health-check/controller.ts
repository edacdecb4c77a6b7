import { isFlagOn, singleton } from "@keelson/aro-api";
import { controllerReference, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
  isUpgrading,
} from "../../runtime/cluster-version.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { managing, may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { machineHealthCheckKey as key, machineHealthCheck } from "./machine-health-check.ts";

const { machineHealthChecks, prometheusRules } = resources;
const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };
/** Alerting rule that earlier releases created. It is deleted. */
const oldRule = { namespace: key.namespace, name: "mhc-remediation-alert" };

/** Configures the platform to replace a worker that stays unhealthy. During a cluster upgrade, no worker is replaced. */
export const machineHealthCheckController: RegisteredController = {
  name: "MachineHealthCheck",
  flag: "aro.machinehealthcheck.enabled",
  flags: { "aro.machinehealthcheck.enabled": switchedOn, "aro.machinehealthcheck.managed": switchedOn },
  documentation: {
    purpose:
      "MachineHealthCheck `aro-machinehealthcheck`, paused during updates and deleted while `aro.machinehealthcheck.managed` is off. Deletes the alert of earlier versions.",
    improvement: "Preserves owners and annotations of other writers.",
  },
  watches: [
    watchFor(machineHealthChecks, singleton, { selection, where: named(key.name) }),
    watchFor(prometheusRules, singleton, {
      selection: { namespace: oldRule.namespace, fieldSelector: `metadata.name=${oldRule.name}` },
      where: named(oldRule.name),
    }),
    clusterVersionChanged,
  ],
  permissions: [
    may(managing, "machine.openshift.io", ["machinehealthchecks"], { namespace: key.namespace }),
    may([...reading, "delete"], "monitoring.coreos.com", ["prometheusrules"], { namespace: key.namespace }),
    clusterVersionPermission,
  ],
  async reconcile({ cache, cluster, flags, objects }) {
    if (cache.known(prometheusRules, oldRule)?.object) await objects.remove(prometheusRules, oldRule);
    if (!isFlagOn(flags, "aro.machinehealthcheck.managed")) {
      await objects.remove(machineHealthChecks, key);
      return done;
    }
    const isPaused = isUpgrading(await getClusterVersion(objects));
    await objects.ensure(machineHealthChecks, machineHealthCheck(controllerReference(cluster), isPaused));
    return done;
  },
};
