/** What a cluster operator's operands run on: without it the operator is not available. */
export type Needs = "control-plane" | "workers";

export interface OperatorFacts {
  readonly name: string;
  readonly needs: Needs;
  /** Part of the control plane that the bootstrap machine hands over to. */
  readonly bootstraps?: true;
}

const onMasters = (name: string): OperatorFacts => ({ name, needs: "control-plane" });
const onWorkers = (name: string): OperatorFacts => ({ name, needs: "workers" });
const bootstraps = (name: string): OperatorFacts => ({ ...onMasters(name), bootstraps: true });

/**
 * The cluster operators of an OpenShift 4.19 release, in the order in which they become available here.
 * Facts: the release payload's ClusterOperator manifests.
 */
export const clusterOperators: readonly OperatorFacts[] = [
  bootstraps("etcd"),
  bootstraps("kube-apiserver"),
  bootstraps("kube-controller-manager"),
  bootstraps("kube-scheduler"),
  onMasters("config-operator"),
  onMasters("cloud-controller-manager"),
  onMasters("network"),
  onMasters("machine-api"),
  onMasters("machine-config"),
  onMasters("machine-approver"),
  onMasters("dns"),
  onMasters("service-ca"),
  onMasters("openshift-apiserver"),
  onMasters("openshift-controller-manager"),
  onMasters("cloud-credential"),
  onMasters("cluster-autoscaler"),
  onMasters("control-plane-machine-set"),
  onMasters("csi-snapshot-controller"),
  onMasters("kube-storage-version-migrator"),
  onMasters("baremetal"),
  onMasters("node-tuning"),
  onMasters("storage"),
  onMasters("olm"),
  onMasters("operator-lifecycle-manager"),
  onMasters("operator-lifecycle-manager-catalog"),
  onMasters("operator-lifecycle-manager-packageserver"),
  onMasters("marketplace"),
  onMasters("openshift-samples"),
  onMasters("insights"),
  onWorkers("image-registry"),
  onWorkers("ingress"),
  onWorkers("monitoring"),
  onWorkers("authentication"),
  onWorkers("console"),
];
