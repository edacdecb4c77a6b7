import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { prometheusReader } from "./operator-names.ts";
import { on } from "./policy-rule.ts";

const { name } = prometheusReader;
const namespace = "openshift-monitoring";
const replicas = ["prometheus-k8s-0", "prometheus-k8s-1"];

/**
 * Service account for which the portal requests short-lived tokens, with all its rights: find the replicas of
 * the cluster's Prometheus and connect to their ports. A WebSocket that forwards a port is a GET. Servers
 * since Kubernetes 1.35 also require `create`.
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
