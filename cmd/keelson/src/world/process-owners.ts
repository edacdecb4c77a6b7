import type { ProcessOwner } from "@keelson/sim-openshift";

/**
 * Allow list of pod owners. Pods of these owners run as local processes. The list contains the operators of the service and of
 * the release, and the pods that these operators create.
 */
export const processOwners: readonly ProcessOwner[] = [
  ...(["master", "worker"] as const).map((role) => ({
    namespace: "openshift-azure-operator",
    kind: "Deployment",
    name: `aro-operator-${role}`,
    programs: [`operator ${role}`],
  })),
  {
    namespace: "openshift-cluster-samples-operator",
    kind: "Deployment",
    name: "cluster-samples-operator",
    programs: ["samples-operator"],
  },
  {
    namespace: "openshift-kube-apiserver-operator",
    kind: "Deployment",
    name: "kube-apiserver-operator",
    programs: ["kube-apiserver-operator operator"],
  },
  {
    // Installer and pruner pods are owned by the ConfigMap that contains the status of their revision.
    namespace: "openshift-kube-apiserver",
    kind: "ConfigMap",
    name: /^revision-status-\d{1,9}$/,
    programs: ["kube-apiserver-operator installer", "kube-apiserver-operator prune"],
  },
  {
    namespace: "openshift-kube-apiserver",
    kind: "Pod",
    name: "kms-preflight",
    programs: ["kube-apiserver-operator kms-preflight"],
  },
];
