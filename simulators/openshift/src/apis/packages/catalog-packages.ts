/** Package of an operator in an index image. */
export interface CatalogPackage {
  readonly name: string;
  readonly displayName: string;
  readonly provider: string;
  readonly channel: string;
  /** Newest version in the channel. */
  readonly version: string;
}

const from =
  (provider: string) =>
  (name: string, displayName: string, channel: string, version: string): CatalogPackage => ({
    name,
    displayName,
    provider,
    channel,
    version,
  });
const redHat = from("Red Hat");

/**
 * Selection of the packages in each index image, by the last component of the image's repository. The real images contain some
 * hundred packages.
 */
export const packagesOfIndex: Readonly<Record<string, readonly CatalogPackage[]>> = {
  "redhat-operator-index": [
    redHat(
      "advanced-cluster-management",
      "Advanced Cluster Management for Kubernetes",
      "release-2.13",
      "2.13.2",
    ),
    redHat("amq-streams", "Streams for Apache Kafka", "stable", "2.9.0"),
    redHat("cluster-logging", "Red Hat OpenShift Logging", "stable-6.2", "6.2.1"),
    redHat("compliance-operator", "Compliance Operator", "stable", "1.7.0"),
    redHat("devworkspace-operator", "DevWorkspace Operator", "fast", "0.33.0"),
    redHat("file-integrity-operator", "File Integrity Operator", "stable", "1.3.5"),
    redHat("kiali-ossm", "Kiali Operator", "stable", "2.4.5"),
    redHat("kubevirt-hyperconverged", "OpenShift Virtualization", "stable", "4.19.0"),
    redHat("local-storage-operator", "Local Storage", "stable", "4.19.0"),
    redHat("loki-operator", "Loki Operator", "stable-6.2", "6.2.1"),
    redHat("multicluster-engine", "multicluster engine for Kubernetes", "stable-2.8", "2.8.1"),
    redHat("nfd", "Node Feature Discovery Operator", "stable", "4.19.0"),
    redHat("odf-operator", "OpenShift Data Foundation", "stable-4.18", "4.18.3"),
    redHat(
      "openshift-cert-manager-operator",
      "cert-manager Operator for Red Hat OpenShift",
      "stable-v1",
      "1.16.0",
    ),
    redHat("openshift-custom-metrics-autoscaler-operator", "Custom Metrics Autoscaler", "stable", "2.15.1"),
    redHat("openshift-gitops-operator", "Red Hat OpenShift GitOps", "latest", "1.16.1"),
    redHat("openshift-pipelines-operator-rh", "Red Hat OpenShift Pipelines", "latest", "1.18.0"),
    redHat("quay-operator", "Red Hat Quay", "stable-3.14", "3.14.0"),
    redHat("redhat-oadp-operator", "OADP Operator", "stable", "1.5.0"),
    redHat("rhacs-operator", "Advanced Cluster Security for Kubernetes", "stable", "4.7.2"),
    redHat("serverless-operator", "Red Hat OpenShift Serverless", "stable", "1.35.1"),
    redHat("servicemeshoperator3", "Red Hat OpenShift Service Mesh 3 Operator", "stable", "3.0.1"),
    redHat("vertical-pod-autoscaler", "VerticalPodAutoscaler", "stable", "4.19.0"),
    redHat("web-terminal", "Web Terminal", "fast", "1.12.1"),
  ],
  "certified-operator-index": [
    from("Crunchy Data")("crunchy-postgres-operator", "Crunchy Postgres for Kubernetes", "v5", "5.8.2"),
    from("Datadog")("datadog-operator-certified", "Datadog Operator", "stable", "1.14.0"),
    from("NVIDIA Corporation")("gpu-operator-certified", "NVIDIA GPU Operator", "v25.3", "25.3.0"),
  ],
  "redhat-marketplace-index": [from("MinIO Inc")("minio-operator-rhmp", "MinIO Operator", "stable", "7.0.1")],
  "community-operator-index": [
    from("Argo CD Community")("argocd-operator", "Argo CD", "alpha", "0.14.1"),
    from("The cert-manager maintainers")("cert-manager", "cert-manager", "stable", "1.16.5"),
    from("Grafana Labs")("grafana-operator", "Grafana Operator", "v5", "5.18.0"),
    from("Red Hat")("prometheus", "Prometheus Operator", "beta", "0.56.3"),
    from("Strimzi")("strimzi-kafka-operator", "Strimzi", "stable", "0.46.0"),
  ],
};
