import type { KubeObject } from "@keelson/apiserver";

/** Names of the pod ConfigMaps by the namespace of the static pod operand. */
const operands: Readonly<Record<string, string>> = {
  "openshift-etcd": "etcd-pod",
  "openshift-kube-apiserver": "kube-apiserver-pod",
  "openshift-kube-controller-manager": "kube-controller-manager-pod",
  "openshift-kube-scheduler": "kube-scheduler-pod",
};

/**
 * Returns the ConfigMaps of the masters' initial revision. A real operator reads the number of the last revision from these
 * ConfigMaps or from its status. It then creates the next revision (openshift/library-go pkg/operator/revisioncontroller).
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
