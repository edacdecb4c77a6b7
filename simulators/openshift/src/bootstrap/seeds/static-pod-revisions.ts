import type { KubeObject } from "@keelson/apiserver";

/** Namespace and first ConfigMap of the revisions of each operator of static pods. */
const operands: Readonly<Record<string, string>> = {
  "openshift-etcd": "etcd-pod",
  "openshift-kube-apiserver": "kube-apiserver-pod",
  "openshift-kube-controller-manager": "kube-controller-manager-pod",
  "openshift-kube-scheduler": "kube-scheduler-pod",
};

/**
 * The revision that masters run once a cluster is installed, as operators make it first: one that takes over counts on
 * from there, whatever it goes by, their configuration's status or these (openshift/library-go
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
