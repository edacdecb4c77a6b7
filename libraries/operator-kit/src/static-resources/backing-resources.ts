import type { Controller } from "@keelson/controller";
import { resources } from "@keelson/kube";
import type { OperatorParts } from "../operator/operator-controller.ts";
import type { StaticPod } from "../static-pod/static-pod.ts";
import { staticResources } from "./controller.ts";

/** Manages the service account and role binding of installer and pruner pods. */
export function backingResources<Parts extends OperatorParts>({
  namespace,
  resource,
}: StaticPod): Controller<Parts> {
  const name = "installer-sa";
  const binding = {
    metadata: { name: `system:openshift:operator:${namespace}-installer` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace, name }],
  };
  return staticResources<Parts>({
    resource,
    name: "BackingResourceController",
    namespaces: [],
    objects: [
      { resource: resources.clusterRoleBindings, object: binding },
      { resource: resources.serviceAccounts, object: { metadata: { namespace, name } } },
    ],
  });
}
