import type { PrinterColumn } from "@keelson/apiserver";

type Column = Pick<PrinterColumn, "name" | "type" | "jsonPath" | "priority">;

/** What tells one OpenShift kind from another: enough to serve it and to print it as `oc get` does. */
export interface CrdFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: "Cluster" | "Namespaced";
  readonly status: boolean;
  /** The pods' selector in text form, where the kind can be scaled and tells it. */
  readonly scale?: { readonly labelSelectorPath?: string };
  readonly columns: readonly Column[];
}

type Details = Partial<Pick<CrdFacts, "shortNames" | "categories" | "status" | "scale" | "columns">>;

const text = (name: string, jsonPath: string): Column => ({ name, type: "string", jsonPath, priority: 0 });
const integer = (name: string, jsonPath: string): Column => ({
  name,
  type: "integer",
  jsonPath,
  priority: 0,
});
const date = (name: string, jsonPath: string): Column => ({ name, type: "date", jsonPath, priority: 0 });
const condition = (type: string): Column => text(type, `.status.conditions[?(@.type=="${type}")].status`);
const wide = (column: Column): Column => ({ ...column, priority: 1 });
const age = date("Age", ".metadata.creationTimestamp");

const group =
  (name: string, version: string) =>
  (scope: CrdFacts["scope"]) =>
  (kind: string, plural: string, details: Details = {}): CrdFacts => ({
    group: name,
    version,
    kind,
    plural,
    scope,
    shortNames: [],
    categories: [],
    status: true,
    columns: [],
    ...details,
  });

const config = group("config.openshift.io", "v1")("Cluster");
const operator = group("operator.openshift.io", "v1")("Cluster");
const machineApi = group("machine.openshift.io", "v1beta1")("Namespaced");
const machineConfiguration = group("machineconfiguration.openshift.io", "v1")("Cluster");
const console = group("console.openshift.io", "v1")("Cluster");
const monitoring = group("monitoring.coreos.com", "v1")("Namespaced");
const operatorsV1 = group("operators.coreos.com", "v1");
const lifecycle = group("operators.coreos.com", "v1alpha1")("Namespaced");

const coreOperators = { categories: ["coreoperators"] };

/**
 * The kinds of OpenShift that a simulated cluster serves as custom resources.
 * Facts: openshift/api, `payload-manifests/crds` and each group's `types.go`.
 */
export const openShiftCrds: readonly CrdFacts[] = [
  config("APIServer", "apiservers"),
  config("Authentication", "authentications"),
  config("Build", "builds"),
  config("ClusterImagePolicy", "clusterimagepolicies"),
  config("ClusterOperator", "clusteroperators", {
    shortNames: ["co"],
    columns: [
      text("Version", '.status.versions[?(@.name=="operator")].version'),
      condition("Available"),
      condition("Progressing"),
      condition("Degraded"),
      date("Since", '.status.conditions[?(@.type=="Available")].lastTransitionTime'),
    ],
  }),
  config("ClusterVersion", "clusterversions", {
    columns: [
      text("Version", '.status.history[?(@.state=="Completed")].version'),
      condition("Available"),
      condition("Progressing"),
      date("Since", '.status.conditions[?(@.type=="Progressing")].lastTransitionTime'),
      text("Status", '.status.conditions[?(@.type=="Progressing")].message'),
    ],
  }),
  config("Console", "consoles"),
  config("DNS", "dnses"),
  config("FeatureGate", "featuregates"),
  config("Image", "images"),
  group("config.openshift.io", "v1")("Namespaced")("ImagePolicy", "imagepolicies"),
  config("ImageContentPolicy", "imagecontentpolicies"),
  config("ImageDigestMirrorSet", "imagedigestmirrorsets", { shortNames: ["idms"] }),
  config("ImageTagMirrorSet", "imagetagmirrorsets", { shortNames: ["itms"] }),
  config("Infrastructure", "infrastructures"),
  config("Ingress", "ingresses"),
  config("InsightsDataGather", "insightsdatagathers"),
  config("Network", "networks", { status: false }),
  config("Node", "nodes"),
  config("OAuth", "oauths"),
  config("OperatorHub", "operatorhubs"),
  config("Project", "projects"),
  config("Proxy", "proxies"),
  config("Scheduler", "schedulers"),

  operator("Authentication", "authentications"),
  operator("CloudCredential", "cloudcredentials"),
  operator("ClusterCSIDriver", "clustercsidrivers"),
  operator("Config", "configs", coreOperators),
  operator("Console", "consoles"),
  operator("CSISnapshotController", "csisnapshotcontrollers"),
  operator("DNS", "dnses"),
  operator("Etcd", "etcds", coreOperators),
  operator("KubeAPIServer", "kubeapiservers", coreOperators),
  operator("KubeControllerManager", "kubecontrollermanagers", coreOperators),
  operator("KubeScheduler", "kubeschedulers", coreOperators),
  operator("KubeStorageVersionMigrator", "kubestorageversionmigrators"),
  operator("InsightsOperator", "insightsoperators", { scale: {} }),
  operator("MachineConfiguration", "machineconfigurations"),
  operator("Network", "networks"),
  operator("OLM", "olms"),
  operator("OpenShiftAPIServer", "openshiftapiservers", coreOperators),
  operator("OpenShiftControllerManager", "openshiftcontrollermanagers", coreOperators),
  operator("ServiceCA", "servicecas"),
  operator("Storage", "storages"),
  group("operator.openshift.io", "v1alpha1")("Cluster")(
    "ImageContentSourcePolicy",
    "imagecontentsourcepolicies",
  ),
  group("operator.openshift.io", "v1")("Namespaced")("IngressController", "ingresscontrollers", {
    scale: { labelSelectorPath: ".status.selector" },
  }),

  machineApi("Machine", "machines", {
    columns: [
      text("Phase", ".status.phase"),
      text("Type", ".metadata.labels.machine\\.openshift\\.io/instance-type"),
      text("Region", ".metadata.labels.machine\\.openshift\\.io/region"),
      text("Zone", ".metadata.labels.machine\\.openshift\\.io/zone"),
      age,
      wide(text("Node", ".status.nodeRef.name")),
      wide(text("ProviderID", ".spec.providerID")),
      wide(text("State", ".metadata.annotations.machine\\.openshift\\.io/instance-state")),
    ],
  }),
  machineApi("MachineSet", "machinesets", {
    scale: { labelSelectorPath: ".status.labelSelector" },
    columns: [
      integer("Desired", ".spec.replicas"),
      integer("Current", ".status.replicas"),
      integer("Ready", ".status.readyReplicas"),
      text("Available", ".status.availableReplicas"),
      age,
    ],
  }),
  machineApi("MachineHealthCheck", "machinehealthchecks", {
    shortNames: ["mhc", "mhcs"],
    columns: [
      text("MaxUnhealthy", ".spec.maxUnhealthy"),
      integer("ExpectedMachines", ".status.expectedMachines"),
      integer("CurrentHealthy", ".status.currentHealthy"),
    ],
  }),
  group("machine.openshift.io", "v1")("Namespaced")("ControlPlaneMachineSet", "controlplanemachinesets", {
    scale: { labelSelectorPath: ".status.labelSelector" },
    columns: [
      integer("Desired", ".spec.replicas"),
      integer("Current", ".status.replicas"),
      integer("Ready", ".status.readyReplicas"),
      integer("Updated", ".status.updatedReplicas"),
      integer("Unavailable", ".status.unavailableReplicas"),
      text("State", ".spec.state"),
      age,
    ],
  }),

  machineConfiguration("MachineConfig", "machineconfigs", {
    shortNames: ["mc"],
    status: false,
    columns: [
      text(
        "GeneratedByController",
        ".metadata.annotations.machineconfiguration\\.openshift\\.io/generated-by-controller-version",
      ),
      text("IgnitionVersion", ".spec.config.ignition.version"),
      age,
    ],
  }),
  machineConfiguration("MachineConfigPool", "machineconfigpools", {
    shortNames: ["mcp"],
    columns: [
      text("Config", ".status.configuration.name"),
      condition("Updated"),
      condition("Updating"),
      condition("Degraded"),
      integer("MachineCount", ".status.machineCount"),
      integer("ReadyMachineCount", ".status.readyMachineCount"),
      integer("UpdatedMachineCount", ".status.updatedMachineCount"),
      integer("DegradedMachineCount", ".status.degradedMachineCount"),
      age,
    ],
  }),
  machineConfiguration("ContainerRuntimeConfig", "containerruntimeconfigs", { shortNames: ["ctrcfg"] }),
  machineConfiguration("ControllerConfig", "controllerconfigs"),
  machineConfiguration("InternalReleaseImage", "internalreleaseimages"),
  machineConfiguration("KubeletConfig", "kubeletconfigs"),
  machineConfiguration("MachineConfigNode", "machineconfignodes", {
    columns: [
      text("PoolName", ".spec.pool.name"),
      text("DesiredConfig", ".spec.configVersion.desired"),
      text("CurrentConfig", ".status.configVersion.current"),
      condition("Updated"),
      age,
    ],
  }),
  machineConfiguration("MachineOSBuild", "machineosbuilds"),
  machineConfiguration("MachineOSConfig", "machineosconfigs"),
  machineConfiguration("OSImageStream", "osimagestreams"),
  machineConfiguration("PinnedImageSet", "pinnedimagesets", { status: false }),

  group("samples.operator.openshift.io", "v1")("Cluster")("Config", "configs"),
  group("imageregistry.operator.openshift.io", "v1")("Cluster")("Config", "configs"),
  group("imageregistry.operator.openshift.io", "v1")("Cluster")("ImagePruner", "imagepruners"),
  group("ingress.operator.openshift.io", "v1")("Namespaced")("DNSRecord", "dnsrecords"),
  group("cloudcredential.openshift.io", "v1")("Namespaced")("CredentialsRequest", "credentialsrequests"),
  group("apiserver.openshift.io", "v1")("Cluster")("APIRequestCount", "apirequestcounts"),
  group("security.openshift.io", "v1")("Cluster")(
    "SecurityContextConstraints",
    "securitycontextconstraints",
    {
      shortNames: ["scc"],
      status: false,
      columns: [
        text("Priv", ".allowPrivilegedContainer"),
        text("Caps", ".allowedCapabilities"),
        text("SELinux", ".seLinuxContext.type"),
        text("RunAsUser", ".runAsUser.type"),
        text("FSGroup", ".fsGroup.type"),
        text("SupGroup", ".supplementalGroups.type"),
        text("Priority", ".priority"),
        text("ReadOnlyRootFS", ".readOnlyRootFilesystem"),
        text("Volumes", ".volumes"),
      ],
    },
  ),

  group("security.internal.openshift.io", "v1")("Cluster")("RangeAllocation", "rangeallocations", {
    status: false,
  }),
  group("quota.openshift.io", "v1")("Cluster")("ClusterResourceQuota", "clusterresourcequotas", {
    shortNames: ["clusterquota"],
  }),
  group("authorization.openshift.io", "v1")("Namespaced")(
    "RoleBindingRestriction",
    "rolebindingrestrictions",
    { status: false },
  ),

  console("ConsoleCLIDownload", "consoleclidownloads", {
    status: false,
    columns: [text("Display name", ".spec.displayName"), age],
  }),
  console("ConsoleExternalLogLink", "consoleexternalloglinks", {
    columns: [text("Text", ".spec.text"), text("HrefTemplate", ".spec.hrefTemplate"), age],
  }),
  console("ConsoleQuickStart", "consolequickstarts", { status: false }),
  console("ConsoleSample", "consolesamples", { status: false }),
  console("ConsoleYAMLSample", "consoleyamlsamples", { status: false }),
  console("ConsoleNotification", "consolenotifications", {
    status: false,
    columns: [text("Text", ".spec.text"), text("Location", ".spec.location"), age],
  }),
  console("ConsoleLink", "consolelinks", {
    status: false,
    columns: [text("Text", ".spec.text"), text("URL", ".spec.href"), text("Menu", ".spec.menu"), age],
  }),
  console("ConsolePlugin", "consoleplugins", { status: false }),

  monitoring("Alertmanager", "alertmanagers", { shortNames: ["am"], scale: {} }),
  monitoring("Probe", "probes", { shortNames: ["prb"], status: false }),
  monitoring("Prometheus", "prometheuses", { shortNames: ["prom"], scale: {} }),
  monitoring("ThanosRuler", "thanosrulers", { shortNames: ["ruler"] }),
  group("monitoring.coreos.com", "v1beta1")("Namespaced")("AlertmanagerConfig", "alertmanagerconfigs", {
    shortNames: ["amcfg"],
    status: false,
  }),
  group("monitoring.openshift.io", "v1")("Namespaced")("AlertingRule", "alertingrules"),
  group("monitoring.openshift.io", "v1")("Namespaced")("AlertRelabelConfig", "alertrelabelconfigs"),
  monitoring("PodMonitor", "podmonitors", { shortNames: ["pmon"], status: false }),
  monitoring("PrometheusRule", "prometheusrules", { shortNames: ["promrule"], status: false }),
  monitoring("ServiceMonitor", "servicemonitors", { shortNames: ["smon"], status: false }),

  lifecycle("CatalogSource", "catalogsources", {
    shortNames: ["catsrc"],
    columns: [
      text("Display", ".spec.displayName"),
      text("Type", ".spec.sourceType"),
      text("Publisher", ".spec.publisher"),
      age,
    ],
  }),
  lifecycle("Subscription", "subscriptions", {
    shortNames: ["sub", "subs"],
    columns: [
      text("Package", ".spec.name"),
      text("Source", ".spec.source"),
      text("Channel", ".spec.channel"),
    ],
  }),
  lifecycle("ClusterServiceVersion", "clusterserviceversions", {
    shortNames: ["csv", "csvs"],
    columns: [
      text("Display", ".spec.displayName"),
      text("Version", ".spec.version"),
      text("Replaces", ".spec.replaces"),
      text("Phase", ".status.phase"),
    ],
  }),
  lifecycle("InstallPlan", "installplans", {
    shortNames: ["ip"],
    columns: [
      text("CSV", ".spec.clusterServiceVersionNames[0]"),
      text("Approval", ".spec.approval"),
      text("Approved", ".spec.approved"),
    ],
  }),
  operatorsV1("Namespaced")("OperatorGroup", "operatorgroups", { shortNames: ["og"] }),
  operatorsV1("Namespaced")("OperatorCondition", "operatorconditions", { shortNames: ["condition"] }),
  operatorsV1("Cluster")("Operator", "operators"),
  operatorsV1("Cluster")("OLMConfig", "olmconfigs"),

  group("autoscaling.openshift.io", "v1")("Cluster")("ClusterAutoscaler", "clusterautoscalers", {
    shortNames: ["ca"],
  }),
  group("autoscaling.openshift.io", "v1beta1")("Namespaced")("MachineAutoscaler", "machineautoscalers", {
    shortNames: ["ma"],
    columns: [
      text("Ref Kind", ".spec.scaleTargetRef.kind"),
      text("Ref Name", ".spec.scaleTargetRef.name"),
      integer("Min", ".spec.minReplicas"),
      integer("Max", ".spec.maxReplicas"),
      age,
    ],
  }),
  group("controlplane.operator.openshift.io", "v1alpha1")("Namespaced")(
    "PodNetworkConnectivityCheck",
    "podnetworkconnectivitychecks",
  ),
  group("network.operator.openshift.io", "v1")("Namespaced")("EgressRouter", "egressrouters"),
  group("network.operator.openshift.io", "v1")("Namespaced")("OperatorPKI", "operatorpkis", {
    status: false,
  }),
  group("cloud.network.openshift.io", "v1")("Cluster")("CloudPrivateIPConfig", "cloudprivateipconfigs"),
  group("helm.openshift.io", "v1beta1")("Cluster")("HelmChartRepository", "helmchartrepositories"),
  group("helm.openshift.io", "v1beta1")("Namespaced")(
    "ProjectHelmChartRepository",
    "projecthelmchartrepositories",
  ),
  group("tuned.openshift.io", "v1")("Namespaced")("Tuned", "tuneds"),
  group("tuned.openshift.io", "v1")("Namespaced")("Profile", "profiles"),
  group("performance.openshift.io", "v2")("Cluster")("PerformanceProfile", "performanceprofiles"),
  group("migration.k8s.io", "v1alpha1")("Cluster")("StorageVersionMigration", "storageversionmigrations"),
  group("migration.k8s.io", "v1alpha1")("Cluster")("StorageState", "storagestates"),
  group("snapshot.storage.k8s.io", "v1")("Namespaced")("VolumeSnapshot", "volumesnapshots", {
    shortNames: ["vs"],
  }),
  group("snapshot.storage.k8s.io", "v1")("Cluster")("VolumeSnapshotClass", "volumesnapshotclasses", {
    shortNames: ["vsclass", "vsclasses"],
    status: false,
  }),
  group("snapshot.storage.k8s.io", "v1")("Cluster")("VolumeSnapshotContent", "volumesnapshotcontents", {
    shortNames: ["vsc", "vscs"],
  }),
  group("k8s.cni.cncf.io", "v1")("Namespaced")(
    "NetworkAttachmentDefinition",
    "network-attachment-definitions",
    {
      shortNames: ["net-attach-def"],
      status: false,
    },
  ),
  group("policy.networking.k8s.io", "v1alpha1")("Cluster")("AdminNetworkPolicy", "adminnetworkpolicies", {
    shortNames: ["anp"],
  }),
  group("policy.networking.k8s.io", "v1alpha1")("Cluster")(
    "BaselineAdminNetworkPolicy",
    "baselineadminnetworkpolicies",
    { shortNames: ["banp"] },
  ),
];
