/**
 * Results of OpenShift's Go operator for a cluster of three masters on Azure. They were recorded in November 2026 from a build of
 * the operator's main branch. There are three stages. In the first stage, etcd and the installer's objects are missing. In the
 * second stage, both exist and a revision is complete. In the third stage, the registry's hostname and the TLS profile have
 * changed. Only values that are equal in all such clusters are included.
 */

/** Condition types by `status/reason`, or by `status` for conditions without a reason. */
export type ConditionTable = Readonly<Record<string, readonly string[]>>;

/** Conditions after a revision is complete. */
export const rolledOutConditions: ConditionTable = {
  False: [
    "AuditPolicyDegraded",
    "CRDConversionWebhookConfigurationError",
    "CertRotation_AggregatorProxyClientCert_Degraded",
    "CertRotation_CheckEndpointsClient_Degraded",
    "CertRotation_ControlPlaneNodeAdminClient_Degraded",
    "CertRotation_ExternalLoadBalancerServing_Degraded",
    "CertRotation_InternalLoadBalancerServing_Degraded",
    "CertRotation_KubeAPIServerToKubeletClientCert_Degraded",
    "CertRotation_KubeControllerManagerClient_Degraded",
    "CertRotation_KubeSchedulerClient_Degraded",
    "CertRotation_LocalhostServing_Degraded",
    "CertRotation_NodeSystemAdminClient_Degraded",
    "CertRotation_ServiceNetworkServing_Degraded",
    "ConfigObservationDegraded",
    "Encrypted",
    "EncryptionKMSPreflightControllerDegraded",
    "EncryptionKMSPreflightControllerProgressing",
    "EncryptionKeyControllerDegraded",
    "EncryptionMigrationControllerDegraded",
    "EncryptionMigrationControllerProgressing",
    "EncryptionPruneControllerDegraded",
    "EncryptionStateControllerDegraded",
    "InstallerControllerDegraded",
    "InstallerPodContainerWaitingDegraded",
    "InstallerPodNetworkingDegraded",
    "InstallerPodPendingDegraded",
    "MutatingAdmissionWebhookConfigurationError",
    "NodeInstallerDegraded",
    "ResourceSyncControllerDegraded",
    "StartupMonitorPodContainerExcessiveRestartsDegraded",
    "StartupMonitorPodDegraded",
    "StaticPodFallbackRevisionDegraded",
    "StaticPodsDegraded",
    "TargetConfigControllerDegraded",
    "ValidatingAdmissionWebhookConfigurationError",
    "VirtualResourceAdmissionError",
  ],
  "False/AllNodesAtLatestRevision": ["NodeInstallerProgressing"],
  "False/AsExpected": [
    "BackingResourceControllerDegraded",
    "GuardControllerDegraded",
    "KubeAPIServerStaticResourcesDegraded",
    "MissingStaticPodControllerDegraded",
    "NodeKubeconfigControllerDegraded",
    "RevisionControllerDegraded",
    "WorkerLatencyProfileDegraded",
  ],
  "False/ExpectedReason": [
    "PodSecurityDisabledSyncerEvaluationConditionsDetected",
    "PodSecurityInconclusiveEvaluationConditionsDetected",
    "PodSecurityOpenshiftEvaluationConditionsDetected",
    "PodSecurityRunLevelZeroEvaluationConditionsDetected",
    "PodSecurityUnknownEvaluationConditionsDetected",
    "PodSecurityUserSCCEvaluationConditionsDetected",
  ],
  "False/MasterNodesReady": ["NodeControllerDegraded"],
  "False/ProfileEmpty": ["WorkerLatencyProfileProgressing"],
  True: ["StaticPodsAvailable"],
  "True/DefaultCertRotationBase": ["CertRotationTimeUpgradeable"],
  "True/KubeletMinorVersionsSynced": ["KubeletMinorVersionUpgradeable"],
  "True/NoUnsupportedConfigOverrides": ["UnsupportedConfigOverridesUpgradeable"],
  "True/ProfileEmpty": ["WorkerLatencyProfileComplete"],
};

/** Conditions that are different while etcd is missing, with their messages. */
export const withoutEtcdConditions: ConditionTable = {
  "False/ZeroNodesActive": ["StaticPodsAvailable"],
  "True/Error": ["ConfigObservationDegraded", "InstallerControllerDegraded"],
  "True/SyncError": ["NodeKubeconfigControllerDegraded", "RevisionControllerDegraded"],
};
export const withoutEtcdMessages: Readonly<Record<string, string>> = {
  ConfigObservationDegraded: 'configmap "etcd-endpoints" not found',
  NodeInstallerProgressing: "3 nodes are at revision 0",
  NodeKubeconfigControllerDegraded:
    '"secret/node-kubeconfigs": configmap "kube-apiserver-server-ca" not found',
  RevisionControllerDegraded: 'configmap "kube-apiserver-pod" not found',
  StaticPodsAvailable: "0 nodes are active; 3 nodes are at revision 0",
};

/** Conditions that are different while the first master gets the second revision. */
export const rollingConditions: ConditionTable = { True: ["NodeInstallerProgressing"] };
export const rollingMessages: Readonly<Record<string, string>> = {
  NodeInstallerProgressing: "3 nodes are at revision 1; 0 nodes have achieved new revision 2",
  StaticPodsAvailable: "3 nodes are active; 3 nodes are at revision 1; 0 nodes have achieved new revision 2",
};

/** Conditions of ClusterOperator `kube-apiserver` after a revision is complete. */
export const clusterOperatorConditions: Readonly<Record<string, readonly [status: string, reason: string]>> =
  {
    Available: ["True", "AsExpected"],
    Degraded: ["False", "AsExpected"],
    EvaluationConditionsDetected: ["False", "AsExpected"],
    Progressing: ["False", "AsExpected"],
    Upgradeable: ["True", "AsExpected"],
  };
/** Related objects as `resource.group namespace/name`. */
export const relatedObjects: readonly string[] = [
  "kubeapiservers.operator.openshift.io /cluster",
  "customresourcedefinitions.apiextensions.k8s.io /",
  "securitycontextconstraints.security.openshift.io /",
  "namespaces. /openshift-config",
  "namespaces. /openshift-config-managed",
  "namespaces. /openshift-kube-apiserver-operator",
  "namespaces. /openshift-kube-apiserver",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io /",
  "validatingwebhookconfigurations.admissionregistration.k8s.io /",
  "podnetworkconnectivitychecks.controlplane.operator.openshift.io openshift-kube-apiserver/",
  "apirequestcounts.apiserver.openshift.io /",
  "nodes.config.openshift.io /cluster",
];

interface DataNames {
  readonly configMaps: Readonly<Record<string, readonly string[]>>;
  readonly secrets: Readonly<Record<string, readonly string[]>>;
}

const target = "openshift-kube-apiserver";
const operator = "openshift-kube-apiserver-operator";
const managed = "openshift-config-managed";

/** ConfigMaps and Secrets of the first stage. */
export const dataWithoutEtcd: DataNames = {
  configMaps: {
    [target]: [
      "aggregator-client-ca",
      "bound-sa-token-signing-certs",
      "check-endpoints-kubeconfig",
      "control-plane-node-kubeconfig",
      "kube-apiserver-audit-policies",
      "kube-apiserver-cert-syncer-kubeconfig",
    ],
    [operator]: [
      "kube-apiserver-to-kubelet-client-ca",
      "kube-control-plane-signer-ca",
      "loadbalancer-serving-ca",
      "localhost-recovery-serving-ca",
      "localhost-serving-ca",
      "node-system-admin-ca",
      "service-network-serving-ca",
    ],
    [managed]: ["bound-sa-token-signing-certs", "kube-apiserver-aggregator-client-ca"],
  },
  secrets: {
    [target]: [
      "aggregator-client",
      "bound-service-account-signing-key",
      "check-endpoints-client-cert-key",
      "control-plane-node-admin-client-cert-key",
      "external-loadbalancer-serving-certkey",
      "internal-loadbalancer-serving-certkey",
      "kubelet-client",
      "localhost-recovery-client-token",
      "localhost-recovery-serving-certkey",
      "localhost-serving-cert-certkey",
      "service-network-serving-certkey",
      "user-serving-cert-000",
    ],
    [operator]: [
      "aggregator-client-signer",
      "kube-apiserver-to-kubelet-signer",
      "kube-control-plane-signer",
      "loadbalancer-serving-signer",
      "localhost-recovery-serving-signer",
      "localhost-serving-signer",
      "next-bound-service-account-signing-key",
      "node-system-admin-client",
      "node-system-admin-signer",
      "service-network-serving-signer",
    ],
    [managed]: ["kube-controller-manager-client-cert-key", "kube-scheduler-client-cert-key"],
  },
};

/** Additional ConfigMaps and Secrets of the second stage. */
export const dataWithEtcd: DataNames = {
  configMaps: {
    [target]: [
      "client-ca",
      "config",
      "etcd-serving-ca",
      "kube-apiserver-pod",
      "kube-apiserver-server-ca",
      "kubelet-serving-ca",
      "sa-token-signing-certs",
      "trusted-ca-bundle",
    ],
    [managed]: ["kube-apiserver-client-ca", "kube-apiserver-server-ca", "kubelet-serving-ca"],
  },
  secrets: { [target]: ["etcd-client", "node-kubeconfigs"] },
};

/** Objects in the API servers' namespace that each revision copies. */
export const revisionCopies = {
  configMaps: [
    "bound-sa-token-signing-certs",
    "config",
    "etcd-serving-ca",
    "kube-apiserver-audit-policies",
    "kube-apiserver-cert-syncer-kubeconfig",
    "kube-apiserver-pod",
    "kube-apiserver-server-ca",
    "kubelet-serving-ca",
    "revision-status",
    "sa-token-signing-certs",
  ],
  secrets: ["etcd-client", "localhost-recovery-client-token", "localhost-recovery-serving-certkey"],
} as const;

/** Data keys and types of ConfigMaps and Secrets, by object name. Certificates and CA bundles are excluded. */
export const dataKeys: Readonly<Record<string, readonly string[]>> = {
  "bound-service-account-signing-key Opaque": ["service-account.key", "service-account.pub"],
  config: ["config.yaml"],
  "kube-apiserver-audit-policies": ["policy.yaml"],
  "kube-apiserver-cert-syncer-kubeconfig": ["kubeconfig"],
  "kube-apiserver-pod": ["forceRedeploymentReason", "pod.yaml", "version"],
  "localhost-recovery-client-token kubernetes.io/service-account-token": ["ca.crt", "namespace", "token"],
  "localhost-recovery-client-token-1 Opaque": ["ca.crt", "namespace", "token"],
  "next-bound-service-account-signing-key Opaque": ["service-account.key", "service-account.pub"],
  "node-kubeconfigs Opaque": [
    "lb-ext.kubeconfig",
    "lb-int.kubeconfig",
    "localhost-recovery.kubeconfig",
    "localhost.kubeconfig",
  ],
  "revision-status-1": ["reason", "revision"],
};

/** Objects that Events report as created, in the form `Kind name`. ConfigMaps and Secrets are excluded. */
export const createdWithoutEtcd: readonly string[] = [
  "ClusterRole system:openshift:controller:check-endpoints",
  "ClusterRole system:openshift:controller:check-endpoints-crd-reader",
  "ClusterRole system:openshift:controller:check-endpoints-node-reader",
  "ClusterRoleBinding system:openshift:controller:kube-apiserver-check-endpoints-auth-delegator",
  "ClusterRoleBinding system:openshift:controller:kube-apiserver-check-endpoints-crd-reader",
  "ClusterRoleBinding system:openshift:controller:kube-apiserver-check-endpoints-node-reader",
  "ClusterRoleBinding system:openshift:operator:kube-apiserver-recovery",
  "ClusterRoleBinding system:openshift:operator:openshift-kube-apiserver-installer",
  "NetworkPolicy allow-all-egress",
  "NetworkPolicy default-deny",
  "Pod kube-apiserver-guard-master-0",
  "Pod kube-apiserver-guard-master-1",
  "Pod kube-apiserver-guard-master-2",
  "PodDisruptionBudget kube-apiserver-guard-pdb",
  "PrometheusRule api-usage",
  "PrometheusRule audit-errors",
  "PrometheusRule cpu-utilization",
  "PrometheusRule kube-apiserver-requests",
  "PrometheusRule kube-apiserver-slos-basic",
  "PrometheusRule kube-apiserver-slos-extended",
  "PrometheusRule kubernetes-system-apiserver",
  "PrometheusRule podsecurity",
  "RoleBinding authentication-reader-for-authenticated-users",
  "RoleBinding system:openshift:controller:check-endpoints",
  "RoleBinding system:openshift:controller:kube-apiserver-check-endpoints",
  "Service apiserver",
  "ServiceAccount guard-sa",
  "ServiceAccount installer-sa",
  "ServiceAccount localhost-recovery-client",
  "StorageVersionMigration flowcontrol-flowschema-storage-version-migration",
  "StorageVersionMigration flowcontrol-flowschema-storage-version-migration-v1beta3",
  "StorageVersionMigration flowcontrol-prioritylevel-storage-version-migration",
  "StorageVersionMigration flowcontrol-prioritylevel-storage-version-migration-v1beta3",
];
export const createdWithEtcd: readonly string[] = [
  "Pod installer-1-master-0",
  "Pod installer-1-master-1",
  "Pod installer-1-master-2",
];

/** Reasons of Events. Events about created objects are excluded. */
export const reasonsWithoutEtcd: readonly string[] = [
  "CABundleUpdateRequired",
  "ConfigMapUpdated",
  "ConfigMissing",
  "CustomResourceDefinitionUpdated",
  "FeatureGatesInitialized",
  "LeaderElection",
  "MasterNodeObserved",
  "MasterNodesReadyChanged",
  "NamespaceUpdated",
  "ObserveFeatureFlagsUpdated",
  "ObserveInternalRegistryHostnameChanged",
  "ObserveStorageFailed",
  "ObserveTLSSecurityProfile",
  "ObservedConfigChanged",
  "ObservedConfigWriteError",
  "OperatorStatusChanged",
  "RequiredInstallerResourcesMissing",
  "RotationError",
  "SecretCreateFailed",
  "SecretUpdated",
  "ServiceAccountIssuer",
  "SignerUpdateRequired",
  "TargetUpdateRequired",
];
export const reasonsWithEtcd: readonly string[] = [
  "ConfigMapUpdateFailed",
  "NodeCurrentRevisionChanged",
  "NodeTargetRevisionChanged",
  "ObserveStorageUpdated",
  "RevisionTriggered",
  "StartingNewRevision",
];
