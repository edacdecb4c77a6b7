import { type KubeResource, type ObjectKey, resources } from "@keelson/kube";

/**
 * Object, or fields of an object, that a controller reconciles. The tests run the complete operator on one cluster that has the
 * objects of all rows.
 */
export interface ManagedRow {
  readonly controller: string;
  readonly resource: KubeResource;
  readonly key: ObjectKey;
  /** Merge patch that the controller must revert. */
  readonly edit: Readonly<Record<string, unknown>>;
  /** True if the controller also recreates the object after its deletion. Default: true. */
  readonly recreated?: boolean;
}

const stranger = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "someone" }];
const logging = "openshift-azure-logging";
const upgrades = "openshift-managed-upgrade-operator";
const monitoring = "openshift-monitoring";
const config = "openshift-config";
const machineApi = "openshift-machine-api";
const noFiles = { spec: { config: { storage: { files: [] } } } };
const noMonitoring = { metadata: { labels: { "openshift.io/cluster-monitoring": "false" } } };
const otherRules = { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] };
const base64 = (text: string) => Buffer.from(text).toString("base64");
const secret = (member: string, text: string) => ({ data: { [member]: base64(text) } });

const optionalPolicies = [
  "aro-machines-deny",
  "aro-machine-config-deny",
  "aro-nodes-deny",
  "aro-privileged-namespace-deny",
];

/**
 * Objects of the customer or of other components. The operator manages only some of their fields and never creates these objects.
 */
const ofOthers: readonly ManagedRow[] = [
  {
    controller: "Alertwebhook",
    resource: resources.secrets,
    key: { namespace: monitoring, name: "alertmanager-main" },
    edit: secret("alertmanager.yaml", "receivers:\n  - name: Default\n"),
    recreated: false,
  },
  {
    controller: "CloudProviderConfig",
    resource: resources.configMaps,
    key: { namespace: config, name: "cloud-provider-config" },
    edit: { data: { config: '{"disableOutboundSNAT":false}' } },
    recreated: false,
  },
  {
    controller: "ImageConfig",
    resource: resources.configImages,
    key: { name: "cluster" },
    edit: { spec: { registrySources: { allowedRegistries: ["quay.io"] } } },
    recreated: false,
  },
  {
    controller: "IngressControllerARO",
    resource: resources.ingressControllers,
    key: { namespace: "openshift-ingress-operator", name: "default" },
    edit: { spec: { replicas: 1 } },
    recreated: false,
  },
  {
    controller: "MachineSet",
    resource: resources.machineSets,
    key: { namespace: machineApi, name: "demo-x1x2x-worker-eastus2" },
    edit: { spec: { replicas: 0 } },
    recreated: false,
  },
  {
    controller: "Monitoring",
    resource: resources.configMaps,
    key: { namespace: monitoring, name: "cluster-monitoring-config" },
    edit: { data: { "config.yaml": "prometheusK8s: {retention: 15d}\n" } },
    recreated: false,
  },
];

const roleOf = (controller: string, namespace: string, name: string): readonly ManagedRow[] => [
  { controller, resource: resources.roles, key: { namespace, name }, edit: otherRules },
  { controller, resource: resources.roleBindings, key: { namespace, name }, edit: { subjects: stranger } },
];
const clusterRoleOf = (controller: string, name: string): readonly ManagedRow[] => [
  { controller, resource: resources.clusterRoles, key: { name }, edit: otherRules },
  { controller, resource: resources.clusterRoleBindings, key: { name }, edit: { subjects: stranger } },
];

const geneva: readonly ManagedRow[] = [
  { resource: resources.namespaces, key: { name: logging }, edit: noMonitoring, recreated: false },
  {
    resource: resources.serviceAccounts,
    key: { namespace: logging, name: "geneva" },
    edit: { metadata: { ownerReferences: [] } },
  },
  {
    resource: resources.securityContextConstraints,
    key: { name: "privileged-genevalogging" },
    edit: { users: ["system:admin"] },
  },
  {
    resource: resources.configMaps,
    key: { namespace: logging, name: "otel-config" },
    edit: { data: { "master-config.yaml": "receivers: {}" } },
  },
  {
    resource: resources.podMonitors,
    key: { namespace: logging, name: "otel-exporter" },
    edit: { spec: { podMetricsEndpoints: [] } },
  },
  {
    resource: resources.prometheusRules,
    key: { namespace: logging, name: "otel-exporter-alerts" },
    edit: { spec: { groups: [] } },
  },
  ...["otel-exporter-master", "otel-exporter-worker"].map((name) => ({
    resource: resources.daemonSets,
    key: { namespace: logging, name },
    edit: { spec: { template: { spec: { nodeSelector: { "example.com/none": "" } } } } },
  })),
].map((row) => ({ controller: "GenevaLogging", ...row }));

const upgradeOperator: readonly ManagedRow[] = [
  { resource: resources.namespaces, key: { name: upgrades }, edit: noMonitoring, recreated: false },
  {
    resource: resources.customResourceDefinitions,
    key: { name: "upgradeconfigs.upgrade.managed.openshift.io" },
    edit: { spec: { names: { shortNames: ["up"] } } },
  },
  {
    resource: resources.serviceAccounts,
    key: { namespace: upgrades, name: "managed-upgrade-operator" },
    edit: { metadata: { ownerReferences: [] } },
  },
  {
    resource: resources.configMaps,
    key: { namespace: upgrades, name: "managed-upgrade-operator-config" },
    edit: { data: { "config.yaml": "configManager: {source: OCM}" } },
  },
  {
    resource: resources.configMaps,
    key: { namespace: upgrades, name: "trusted-ca-bundle" },
    edit: { metadata: { labels: { "config.openshift.io/inject-trusted-cabundle": "false" } } },
  },
  {
    resource: resources.prometheusRules,
    key: { namespace: monitoring, name: "sre-managed-upgrade-operator-alerts" },
    edit: { spec: { groups: [] } },
  },
  {
    resource: resources.deployments,
    key: { namespace: upgrades, name: "managed-upgrade-operator" },
    edit: { spec: { replicas: 0 } },
  },
].map((row) => ({ controller: "ManagedUpgradeOperator", ...row }));

const guardrails: readonly ManagedRow[] = [
  "aro-cluster-version-major-upgrade-deny",
  ...optionalPolicies,
].flatMap((name) => [
  {
    controller: "GuardRails",
    resource: resources.validatingAdmissionPolicies,
    key: { name },
    edit: { spec: { matchConstraints: { objectSelector: { matchLabels: { a: "b" } } } } },
  },
  {
    controller: "GuardRails",
    resource: resources.validatingAdmissionPolicyBindings,
    key: { name: `${name}-binding` },
    edit: { spec: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } } },
  },
]);

const machineConfigs: readonly ManagedRow[] = [
  ...["master", "worker"].flatMap((pool) => [
    { controller: "Dnsmasq", name: `99-${pool}-aro-dns` },
    { controller: "EtcHosts", name: `99-${pool}-aro-etc-hosts-gateway-domains` },
  ]),
  { controller: "Workaround", name: "99-master-disable-dirtyfrag" },
].map(({ controller, name }) => ({
  controller,
  resource: resources.machineConfigs,
  key: { name },
  edit: noFiles,
}));

/** All managed objects. Their cluster has a gateway, the flags of a new cluster, and all optional controllers enabled. */
export const managedRows: readonly ManagedRow[] = [
  ...ofOthers,
  {
    controller: "AutoSizedNodes",
    resource: resources.kubeletConfigs,
    key: { name: "dynamic-node" },
    edit: { spec: { autoSizingReserved: false } },
  },
  {
    controller: "Banner",
    resource: resources.consoleNotifications,
    key: { name: "openshift-aro-sre" },
    edit: { spec: { text: "All is well", color: "#fff" } },
  },
  {
    controller: "ClusterOperatorARO",
    resource: resources.clusterOperators,
    key: { name: "aro" },
    edit: { metadata: { ownerReferences: [] } },
  },
  ...machineConfigs,
  {
    controller: "Workaround",
    resource: resources.machineConfigs,
    key: { name: "99-master-disable-algif-aead" },
    edit: { spec: { kernelArguments: ["quiet"] } },
  },
  ...geneva,
  ...roleOf("GenevaLogging", logging, "prometheus-k8s"),
  ...guardrails,
  {
    controller: "MachineHealthCheck",
    resource: resources.machineHealthChecks,
    key: { namespace: machineApi, name: "aro-machinehealthcheck" },
    edit: { spec: { maxUnhealthy: "9" } },
  },
  ...upgradeOperator,
  ...clusterRoleOf("ManagedUpgradeOperator", "managed-upgrade-operator"),
  ...roleOf("ManagedUpgradeOperator", upgrades, "managed-upgrade-operator"),
  ...roleOf("ManagedUpgradeOperator", upgrades, "prometheus-k8s"),
  ...roleOf("ManagedUpgradeOperator", monitoring, "muo-monitoring-reader"),
  ...roleOf("ManagedUpgradeOperator", monitoring, "muo-monitoring-interactor"),
  ...roleOf("ManagedUpgradeOperator", config, "muo-pullsecret-reader"),
  {
    controller: "NetworkPolicy",
    resource: resources.adminNetworkPolicies,
    key: { name: "aro-cco-deny-pprof" },
    edit: { spec: { priority: 99 } },
  },
  {
    controller: "PullSecret",
    resource: resources.secrets,
    key: { namespace: config, name: "pull-secret" },
    edit: secret(".dockerconfigjson", '{"auths":{}}'),
  },
  ...clusterRoleOf("RBAC", "system:aro-sre"),
  ...clusterRoleOf("RBAC", "system:aro-diagnostics"),
  {
    controller: "UserWarnings",
    resource: resources.consoleNotifications,
    key: { name: "aro-sre-unsupported-condition" },
    edit: { spec: { text: "All is well" } },
  },
];

/** Managed objects that exist only while `aro.autosizednodes.enabled` is off. */
export const reservedMemoryRows: readonly ManagedRow[] = [
  {
    controller: "Workaround",
    resource: resources.kubeletConfigs,
    key: { name: "aro-limits" },
    edit: { spec: { kubeletConfig: { systemReserved: { memory: "1Mi" } } } },
  },
  {
    controller: "Workaround",
    resource: resources.machineConfigPools,
    key: { name: "worker" },
    edit: { metadata: { labels: { "aro.openshift.io/limits": null } } },
    recreated: false,
  },
];
