import type { PrinterColumn } from "@keelson/apiserver";

type Column = Pick<PrinterColumn, "name" | "type" | "jsonPath" | "priority">;

/**
 * Properties of a kind without a schema in this package. They are sufficient to serve the kind and to print its objects with `oc
 * get`.
 */
export interface CrdFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: "Cluster" | "Namespaced";
  readonly status: boolean;
  /**
   * Present if the kind has the `scale` subresource. `labelSelectorPath` is the path of the pod selector in the status, if the
   * status contains one.
   */
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

const monitoring = group("monitoring.coreos.com", "v1")("Namespaced");
const operatorsV1 = group("operators.coreos.com", "v1");
const lifecycle = group("operators.coreos.com", "v1alpha1")("Namespaced");

/** Kinds of other projects in an OpenShift release. Source: the manifests of their operators. The schemas accept any field. */
export const openSchemaKinds: readonly CrdFacts[] = [
  group("cloudcredential.openshift.io", "v1")("Namespaced")("CredentialsRequest", "credentialsrequests"),
  monitoring("Alertmanager", "alertmanagers", { shortNames: ["am"], scale: {} }),
  monitoring("Probe", "probes", { shortNames: ["prb"], status: false }),
  monitoring("Prometheus", "prometheuses", { shortNames: ["prom"], scale: {} }),
  monitoring("ThanosRuler", "thanosrulers", { shortNames: ["ruler"] }),
  group("monitoring.coreos.com", "v1beta1")("Namespaced")("AlertmanagerConfig", "alertmanagerconfigs", {
    shortNames: ["amcfg"],
    status: false,
  }),
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
  group("network.operator.openshift.io", "v1")("Namespaced")("OperatorPKI", "operatorpkis", {
    status: false,
  }),
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
