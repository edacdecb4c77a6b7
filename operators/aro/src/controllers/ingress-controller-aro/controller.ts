import { singleton } from "@keelson/aro-api";
import { numberAt } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";

const { ingressControllers } = resources;
const key = { namespace: "openshift-ingress-operator", name: "default" };
const minimumReplicas = 2;
const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };

/**
 * Ensures that the default ingress has at least two replicas. An unset replica count is accepted, because the platform sets a
 * default.
 */
export const ingress: RegisteredController = {
  name: "IngressControllerARO",
  flag: "aro.ingress.enabled",
  flags: { "aro.ingress.enabled": switchedOn },
  documentation: {
    purpose:
      "Sets at least two replicas in the default IngressController. Does not change an IngressController without `spec.replicas`.",
    improvement: "Repairs immediately instead of at the next change of the Cluster.",
  },
  watches: [watchFor(ingressControllers, singleton, { selection, where: named(key.name) })],
  permissions: [
    may([...reading, "patch"], "operator.openshift.io", ["ingresscontrollers"], { namespace: key.namespace }),
  ],
  async reconcile({ objects }) {
    const live = await objects.find(ingressControllers, key);
    if (!live) throw new Error(`ingresscontrollers.operator.openshift.io "${key.name}" not found`);
    const replicas = numberAt(live, "spec", "replicas");
    if (replicas !== undefined && replicas < minimumReplicas)
      await objects.correct(ingressControllers, live, { spec: { replicas: minimumReplicas } });
    return done;
  },
};
