import { isFlagOn, singleton } from "@keelson/aro-api";
import { messageOf, stringAt } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import {
  clusterVersionChanged,
  clusterVersionPermission,
  getClusterVersion,
} from "../../runtime/cluster-version.ts";
import { checkerFlag } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { judgeCertificate } from "./judge-certificate.ts";

const { ingressControllers } = resources;
const key = { namespace: "openshift-ingress-operator", name: "default" };
const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` };
const type = "DefaultIngressCertificate";

/** Checks that the default ingress serves the service's certificate for the cluster's managed domain. */
export const ingressCertificateChecker: RegisteredController = {
  name: "IngressCertificateChecker",
  flags: checkerFlag,
  conditionTypes: ["DefaultIngressCertificate"],
  documentation: {
    purpose:
      "Checks the certificate of the default IngressController. In clusters with a managed domain, it must be the service's certificate. In other clusters, any certificate is accepted.",
    improvement: "Retries only after a change.",
  },
  watches: [
    watchFor(ingressControllers, singleton, { selection, where: named(key.name) }),
    clusterVersionChanged,
  ],
  permissions: [
    may(reading, "operator.openshift.io", ["ingresscontrollers"], { namespace: key.namespace }),
    clusterVersionPermission,
  ],
  conditions: "none",
  async reconcile({ cluster, flags, objects, status }) {
    if (!isFlagOn(flags, "aro.checker.enabled")) {
      await status.set([{ type, status: "Unknown" }]);
      return done;
    }
    try {
      const clusterVersion = await getClusterVersion(objects);
      const live = await objects.find(ingressControllers, key);
      if (!live) throw new Error(`ingresscontrollers.operator.openshift.io "${key.name}" not found`);
      const fault = judgeCertificate({
        domain: cluster.spec?.domain ?? "",
        clusterId: stringAt(clusterVersion, "spec", "clusterID") ?? "",
        ingressController: live,
      });
      const good = {
        status: "True",
        reason: "CheckDone",
        message: "Default ingress certificate is in use",
      } as const;
      const bad = { status: "False", reason: "CheckFailed", message: fault ?? "" } as const;
      await status.set([{ type, ...(fault === undefined ? good : bad) }]);
      return done;
    } catch (error) {
      await status.set([{ type, status: "False", reason: "CheckFailed", message: messageOf(error) }]);
      throw error;
    }
  },
};
