/** Kind of nodes on which an operator's operands run. The operator is unavailable if no node of this kind is ready. */
export type Needs = "control-plane" | "workers";

export interface OperatorFacts {
  readonly name: string;
  readonly needs: Needs;
  /** True for control plane operators that the bootstrap machine starts. */
  readonly bootstraps?: true;
  /**
   * Operands for which the ClusterOperator reports a separate version. The value selects the release version or the Kubernetes
   * version.
   */
  readonly operands?: Readonly<Record<string, "release" | "kubernetes">>;
  /** Namespaces of the operator. */
  readonly namespaces: readonly string[];
  /** Configuration resource of the operator: `resource.group/name`. */
  readonly config?: string;
}

type Details = Partial<Omit<OperatorFacts, "name" | "needs">>;

const onMasters = (name: string, namespace: string, details: Details = {}): OperatorFacts => ({
  name,
  needs: "control-plane",
  namespaces: [namespace],
  ...details,
});
const onWorkers = (name: string, namespace: string, details: Details = {}): OperatorFacts => ({
  ...onMasters(name, namespace, details),
  needs: "workers",
});
const withOperand = (name: string, config: string, details: Details = {}): Details => ({
  namespaces: [`openshift-${name}-operator`, `openshift-${name}`],
  config: `${config}.operator.openshift.io/cluster`,
  ...details,
});

/**
 * Cluster operators of an OpenShift 4.19 release, in their rollout order. Source: the release payload's
 * ClusterOperator manifests.
 */
export const clusterOperators: readonly OperatorFacts[] = [
  onMasters(
    "etcd",
    "openshift-etcd",
    withOperand("etcd", "etcds", {
      bootstraps: true,
      operands: { "raw-internal": "release", etcd: "release" },
    }),
  ),
  onMasters(
    "kube-apiserver",
    "openshift-kube-apiserver",
    withOperand("kube-apiserver", "kubeapiservers", {
      bootstraps: true,
      operands: { "raw-internal": "release", "kube-apiserver": "kubernetes" },
    }),
  ),
  onMasters(
    "kube-controller-manager",
    "openshift-kube-controller-manager",
    withOperand("kube-controller-manager", "kubecontrollermanagers", {
      bootstraps: true,
      operands: { "raw-internal": "release", "kube-controller-manager": "kubernetes" },
    }),
  ),
  onMasters(
    "kube-scheduler",
    "openshift-kube-scheduler",
    withOperand("kube-scheduler", "kubeschedulers", {
      bootstraps: true,
      operands: { "raw-internal": "release", "kube-scheduler": "kubernetes" },
    }),
  ),
  onMasters("config-operator", "openshift-config-operator", {
    operands: { "feature-gates": "release" },
    config: "configs.operator.openshift.io/cluster",
  }),
  onMasters("cloud-controller-manager", "openshift-cloud-controller-manager"),
  onMasters("network", "openshift-network-operator", {
    namespaces: ["openshift-network-operator", "openshift-ovn-kubernetes", "openshift-multus"],
    config: "networks.operator.openshift.io/cluster",
  }),
  onMasters("machine-api", "openshift-machine-api"),
  onMasters("machine-config", "openshift-machine-config-operator", {
    operands: { "operator-image": "release" },
    config: "machineconfigurations.operator.openshift.io/cluster",
  }),
  onMasters("machine-approver", "openshift-cluster-machine-approver"),
  onMasters("dns", "openshift-dns-operator", {
    namespaces: ["openshift-dns-operator", "openshift-dns"],
    config: "dnses.operator.openshift.io/default",
  }),
  onMasters("service-ca", "openshift-service-ca", withOperand("service-ca", "servicecas")),
  onMasters("openshift-apiserver", "openshift-apiserver", {
    namespaces: ["openshift-apiserver-operator", "openshift-apiserver"],
    operands: { "openshift-apiserver": "release" },
    config: "openshiftapiservers.operator.openshift.io/cluster",
  }),
  onMasters("openshift-controller-manager", "openshift-controller-manager", {
    namespaces: ["openshift-controller-manager-operator", "openshift-controller-manager"],
    config: "openshiftcontrollermanagers.operator.openshift.io/cluster",
  }),
  onMasters("cloud-credential", "openshift-cloud-credential-operator", {
    config: "cloudcredentials.operator.openshift.io/cluster",
  }),
  onMasters("cluster-autoscaler", "openshift-machine-api"),
  onMasters("control-plane-machine-set", "openshift-machine-api"),
  onMasters("csi-snapshot-controller", "openshift-cluster-storage-operator", {
    config: "csisnapshotcontrollers.operator.openshift.io/cluster",
  }),
  onMasters("kube-storage-version-migrator", "openshift-kube-storage-version-migrator-operator", {
    config: "kubestorageversionmigrators.operator.openshift.io/cluster",
  }),
  onMasters("baremetal", "openshift-machine-api"),
  onMasters("node-tuning", "openshift-cluster-node-tuning-operator"),
  onMasters("storage", "openshift-cluster-storage-operator", {
    namespaces: ["openshift-cluster-storage-operator", "openshift-cluster-csi-drivers"],
    config: "storages.operator.openshift.io/cluster",
  }),
  onMasters("olm", "openshift-cluster-olm-operator", { config: "olms.operator.openshift.io/cluster" }),
  onMasters("operator-lifecycle-manager", "openshift-operator-lifecycle-manager", {
    operands: { "operator-lifecycle-manager": "release" },
  }),
  onMasters("operator-lifecycle-manager-catalog", "openshift-operator-lifecycle-manager"),
  onMasters("operator-lifecycle-manager-packageserver", "openshift-operator-lifecycle-manager"),
  onMasters("marketplace", "openshift-marketplace"),
  onMasters("openshift-samples", "openshift-cluster-samples-operator"),
  onMasters("insights", "openshift-insights"),
  onWorkers("image-registry", "openshift-image-registry", {
    config: "configs.imageregistry.operator.openshift.io/cluster",
  }),
  onWorkers("ingress", "openshift-ingress-operator", {
    namespaces: ["openshift-ingress-operator", "openshift-ingress"],
    operands: { "ingress-controller": "release" },
  }),
  onWorkers("monitoring", "openshift-monitoring"),
  onWorkers(
    "authentication",
    "openshift-authentication",
    withOperand("authentication", "authentications", {
      operands: { "oauth-apiserver": "release", "oauth-openshift": "release" },
    }),
  ),
  onWorkers("console", "openshift-console", withOperand("console", "consoles")),
];

/** Operator that updates after all other operators, because its update reboots the nodes. */
export const machineConfigOperator = "machine-config";
