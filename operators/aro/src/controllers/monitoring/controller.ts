import { singleton } from "@keelson/aro-api";
import { stringAt } from "@keelson/base";
import { metadataOnly, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import type { ManagedObjects } from "@keelson/operator-kit";
import { editCustomerYaml } from "../../customer-yaml/edit-customer-yaml.ts";
import { editFailure } from "../../customer-yaml/edit-failure.ts";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOff } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { configMaps, persistentVolumeClaims } = resources;
const namespace = "openshift-monitoring";
const key = { namespace, name: "cluster-monitoring-config" };
const member = "config.yaml";
const claims = {
  selection: { namespace, labelSelector: "app=prometheus,prometheus=k8s" },
  strip: metadataOnly,
};

/** Removes persistent volumes from the configuration of the cluster's monitoring stack. */
export const monitoring: RegisteredController = {
  name: "Monitoring",
  flag: "aro.monitoring.enabled",
  flags: { "aro.monitoring.enabled": switchedOff },
  documentation: {
    purpose:
      "Removes retention and volumes from ConfigMap `openshift-monitoring/cluster-monitoring-config`. Deletes volume claims of Prometheus.",
    improvement:
      "Deletes claims immediately. Preserves comments, order and value notation. If the configuration cannot be parsed, the controller becomes Degraded.",
  },
  watches: [
    watchFor(configMaps, singleton, {
      selection: { namespace, fieldSelector: `metadata.name=${key.name}` },
      where: named(key.name),
    }),
    watchFor(persistentVolumeClaims, singleton, claims),
  ],
  permissions: [
    may([...reading, "create", "patch"], "", ["configmaps"], { namespace, resourceNames: [key.name] }),
    may([...reading, "delete"], "", ["persistentvolumeclaims"], { namespace }),
  ],
  async reconcile({ cache, objects, signal }) {
    await correctConfiguration(objects, signal);
    for (const { metadata } of cache.informer(persistentVolumeClaims, claims).list())
      await objects.remove(persistentVolumeClaims, { namespace, name: metadata.name });
    return done;
  },
};

/** @throws TerminalError for content that only a change of the ConfigMap can fix */
async function correctConfiguration(objects: ManagedObjects, signal: AbortSignal): Promise<void> {
  const live = await objects.find(configMaps, key);
  if (!live) return void (await objects.ensure(configMaps, { metadata: key, data: { [member]: "{}\n" } }));
  const text = stringAt(live, "data", member);
  if (text === undefined) return;
  let corrected: string;
  try {
    corrected = await editCustomerYaml("withoutPersistence", text, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw editFailure(`${member} in ConfigMap ${key.namespace}/${key.name}`, error);
  }
  await objects.correct(configMaps, live, { data: { [member]: corrected } });
}
