import { resources } from "@keelson/kube";
import type { StaticResource } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import type { OperatorContext } from "../../runtime/operator-context.ts";

const rbac = "rbac.authorization.k8s.io";
const prefix = "system:openshift:controller";
const reads = ["get", "list", "watch"];
const rule = (apiGroup: string, names: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [apiGroup],
  resources: names,
  verbs,
});
const clusterRole = (name: string, ...rules: readonly object[]) => ({
  resource: resources.clusterRoles,
  object: { metadata: { name: `${prefix}:${name}` }, rules },
});
/** User name in the client certificate of the process check-endpoints. */
const checkEndpoints = {
  apiGroup: rbac,
  kind: "User",
  name: `system:serviceaccount:${namespaces.target}:check-endpoints`,
};
const bound = (kind: "ClusterRole" | "Role", name: string, subject: object) => ({
  roleRef: { apiGroup: rbac, kind, name },
  subjects: [subject],
});
const checkEndpointsBinding = (name: string, role: string) => ({
  resource: resources.clusterRoleBindings,
  object: {
    metadata: { name: `${prefix}:kube-apiserver-check-endpoints-${name}` },
    ...bound("ClusterRole", role, checkEndpoints),
  },
});
const authenticationReader = "extension-apiserver-authentication-reader";

/**
 * Roles and role bindings of the static pod's processes. One binding permits all authenticated users to read the ConfigMap
 * `extension-apiserver-authentication`.
 */
export const staticRoles: readonly StaticResource<OperatorContext>[] = [
  clusterRole(
    "check-endpoints",
    rule("controlplane.operator.openshift.io", ["podnetworkconnectivitychecks"], reads),
    rule(
      "controlplane.operator.openshift.io",
      ["podnetworkconnectivitychecks/status"],
      ["get", "list", "patch", "update", "watch"],
    ),
    rule("", ["pods", "secrets"], reads),
    rule("", ["events"], [...reads, "create", "update", "patch"]),
  ),
  clusterRole("check-endpoints-node-reader", rule("", ["nodes"], reads)),
  clusterRole(
    "check-endpoints-crd-reader",
    rule("apiextensions.k8s.io", ["customresourcedefinitions"], reads),
  ),
  checkEndpointsBinding("auth-delegator", "system:auth-delegator"),
  checkEndpointsBinding("node-reader", `${prefix}:check-endpoints-node-reader`),
  checkEndpointsBinding("crd-reader", `${prefix}:check-endpoints-crd-reader`),
  {
    resource: resources.roleBindings,
    object: {
      metadata: { namespace: namespaces.kubeSystem, name: `${prefix}:kube-apiserver-check-endpoints` },
      ...bound("Role", authenticationReader, checkEndpoints),
    },
  },
  {
    resource: resources.roleBindings,
    object: {
      metadata: { namespace: namespaces.target, name: `${prefix}:check-endpoints` },
      ...bound("ClusterRole", `${prefix}:check-endpoints`, checkEndpoints),
    },
  },
  {
    resource: resources.roleBindings,
    object: {
      metadata: { namespace: namespaces.kubeSystem, name: "authentication-reader-for-authenticated-users" },
      ...bound("Role", authenticationReader, { apiGroup: rbac, kind: "Group", name: "system:authenticated" }),
    },
  },
  {
    resource: resources.clusterRoleBindings,
    object: {
      metadata: { name: "system:openshift:operator:kube-apiserver-recovery" },
      ...bound("ClusterRole", "cluster-admin", {
        kind: "ServiceAccount",
        name: "localhost-recovery-client",
        namespace: namespaces.target,
      }),
    },
  },
];
