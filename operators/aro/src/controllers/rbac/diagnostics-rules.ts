import type { PolicyRule } from "@keelson/aro-api";
import { type ResourceNames, rulesOf } from "./resource-names.ts";

const watched: ResourceNames = {
  "": [
    "pods pods/log nodes services endpoints configmaps events namespaces persistentvolumeclaims",
    "replicationcontrollers resourcequotas serviceaccounts limitranges",
  ].join(" "),
  apps: "deployments daemonsets statefulsets replicasets",
  batch: "jobs cronjobs",
  "networking.k8s.io": "networkpolicies ingresses",
  policy: "poddisruptionbudgets",
  "storage.k8s.io": "storageclasses persistentvolumes volumeattachments csinodes csidrivers",
  autoscaling: "horizontalpodautoscalers",
  "rbac.authorization.k8s.io": "roles rolebindings clusterroles clusterrolebindings",
  "apps.openshift.io": "deploymentconfigs",
  "route.openshift.io": "routes",
  "machine.openshift.io": "machines machinesets machinehealthchecks",
  "config.openshift.io": "clusterversions clusteroperators infrastructures",
  "machineconfiguration.openshift.io": "machineconfigs machineconfigpools",
  "monitoring.coreos.com": "prometheusrules servicemonitors alertmanagers",
  "operator.openshift.io": "*",
  "operators.coreos.com": "subscriptions clusterserviceversions installplans operatorgroups",
  "certificates.k8s.io": "certificatesigningrequests",
};

/** Read permissions of automated diagnostics (Azure/ARO-RP pkg/operator/controllers/rbac). */
export const diagnosticsRules: readonly PolicyRule[] = [
  ...rulesOf(watched, ["get", "list", "watch"]),
  ...rulesOf({ "metrics.k8s.io": "nodes pods" }, ["get", "list"]),
  { nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/metrics"], verbs: ["get"] },
];
