import { clusters, singleton } from "@keelson/aro-api";
import { type Condition, controllerReference, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { unionCondition } from "./union-condition.ts";

const { clusterOperators } = resources;
const key = { name: "aro" };
const selection = { fieldSelector: `metadata.name=${key.name}` };

/**
 * Reports the operator's status as a ClusterOperator, as OpenShift's operators do. As in ARO-RP, the ClusterOperator is never
 * Degraded, because failures of this operator must not block cluster updates. The Cluster's conditions contain the failures.
 */
export const clusterOperatorAro: RegisteredController = {
  name: "ClusterOperatorARO",
  documentation: {
    purpose:
      "ClusterOperator `aro`. Available and Progressing summarize the Cluster's conditions. The ClusterOperator is never Degraded, because this would block updates.",
    improvement:
      "Writes only differences. Preserves conditions of other writers. Lists related objects for must-gather.",
  },
  watches: [
    watchFor(clusterOperators, singleton, { selection, where: named(key.name) }),
    // Status changes of the Cluster also trigger a reconcile.
    watchFor(clusters, singleton, { selection: { fieldSelector: `metadata.name=${singleton.name}` } }),
  ],
  permissions: [
    may([...reading, "create", "patch"], "config.openshift.io", ["clusteroperators"]),
    may(["patch"], "config.openshift.io", ["clusteroperators/status"]),
  ],
  conditions: "none",
  async reconcile({ cluster, clock, namespace, objects, version }) {
    const metadata = { ...key, ownerReferences: [controllerReference(cluster)] };
    await objects.ensure(clusterOperators, { metadata, spec: {} });
    const members = {
      versions: [{ name: "operator", version }],
      relatedObjects: [
        { group: "", resource: "namespaces", name: namespace },
        { group: clusters.group, resource: clusters.plural, name: singleton.name },
      ],
    };
    const degraded: Condition = { type: "Degraded", status: "False", reason: "AsExpected", message: "" };
    const conditions = [
      unionCondition(cluster, "Available", "True"),
      unionCondition(cluster, "Progressing", "False"),
      degraded,
    ];
    await objects.ensureStatus(clusterOperators, key, conditions, members, clock.now());
    return done;
  },
};
