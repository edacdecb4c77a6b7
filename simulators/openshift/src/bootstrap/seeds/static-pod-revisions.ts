import type { KubeObject } from "@keelson/apiserver";

/** Namespace and pod ConfigMap of each static pod operator. */
const operands: Readonly<Record<string, string>> = {
  "openshift-etcd": "etcd-pod",
  "openshift-kube-apiserver": "kube-apiserver-pod",
  "openshift-kube-controller-manager": "kube-controller-manager-pod",
  "openshift-kube-scheduler": "kube-scheduler-pod",
};

/**
 * Initial revision of the masters after the installation. An operator that takes over continues from it,
 * according to the status of its configuration or these ConfigMaps (openshift/library-go
 * pkg/operator/revisioncontroller).
 */
export function staticPodRevisions(): readonly KubeObject[] {
  return Object.entries(operands).map(([namespace, pod]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      namespace,
      name: "revision-status-1",
      annotations: { "operator.openshift.io/revision-ready": "true" },
      labels: {
        "operator.openshift.io/controller-instance-name": `${namespace.replace("openshift-", "")}-RevisionController`,
      },
    },
    data: { revision: "1", reason: `configmap "${pod}-0" not found` },
  }));
}
