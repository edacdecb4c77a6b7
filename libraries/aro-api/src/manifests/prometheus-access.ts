import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { prometheusReader } from "./operator-names.ts";
import { on } from "./policy-rule.ts";

const { name } = prometheusReader;
const namespace = "openshift-monitoring";
const replicas = ["prometheus-k8s-0", "prometheus-k8s-1"];

/**
 * Service account and its permissions for Prometheus access. The portal requests short-lived tokens of this account. The account
 * may find the replicas of the cluster's Prometheus and forward their ports. A port-forward over WebSocket is a GET request, but
 * Kubernetes 1.35 and later also require the verb `create`.
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
