import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { prometheusReader } from "./operator-names.ts";
import { on } from "./policy-rule.ts";

const { name } = prometheusReader;
const namespace = "openshift-monitoring";
const replicas = ["prometheus-k8s-0", "prometheus-k8s-1"];

/**
 * The account that the portal asks for short tokens of, and all that it may do: find the replicas of the cluster's Prometheus
 * and connect to their ports. A WebSocket that forwards a port is a GET; servers since Kubernetes 1.35 ask for `create` as well.
 */
export const prometheusAccess: readonly Manifest[] = [
  manifest(resources.serviceAccounts, prometheusReader),
  manifest(
    resources.roles,
    { name, namespace },
    { rules: [on("", "pods", ["list"]), on("", "pods/portforward", ["get", "create"], replicas)] },
  ),
  manifest(
    resources.roleBindings,
    { name, namespace },
    {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", ...prometheusReader }],
    },
  ),
];
