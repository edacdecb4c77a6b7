import type { PolicyRule } from "@keelson/aro-api";
import { type ResourceNames, rulesOf } from "./resource-names.ts";

const watched: ResourceNames = {
  "": [
    "configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims",
    "persistentvolumes pods podtemplates replicationcontrollers resourcequotas serviceaccounts",
    "services",
  ].join(" "),
  "admissionregistration.k8s.io": "mutatingwebhookconfigurations validatingwebhookconfigurations",
  "apiextensions.k8s.io": "customresourcedefinitions",
  "apiregistration.k8s.io": "apiservices",
  "apiserver.openshift.io": "apirequestcounts",
  apps: "controllerrevisions daemonsets deployments replicasets statefulsets",
  "apps.openshift.io": "deploymentconfigs",
  "aro.openshift.io": "clusters",
  "authorization.openshift.io": "rolebindingrestrictions",
  autoscaling: "horizontalpodautoscalers",
  "autoscaling.openshift.io": "clusterautoscalers machineautoscalers",
  batch: "cronjobs jobs",
  "build.openshift.io": "buildconfigs builds",
  "certificates.k8s.io": "certificatesigningrequests",
  "cloud.network.openshift.io": "cloudprivateipconfigs",
  "cloudcredential.openshift.io": "credentialsrequests",
  "config.openshift.io": [
    "apiservers authentications builds clusteroperators clusterversions consoles dnses featuregates",
    "imagecontentpolicies images infrastructures ingresses networks nodes oauths operatorhubs",
    "projects proxies schedulers",
  ].join(" "),
  "console.openshift.io": [
    "consoleclidownloads consoleexternalloglinks consolelinks consolenotifications consoleplugins",
    "consolequickstarts consoleyamlsamples",
  ].join(" "),
  "controlplane.operator.openshift.io": "podnetworkconnectivitychecks",
  "coordination.k8s.io": "leases",
  "discovery.k8s.io": "endpointslices",
  "events.k8s.io": "events",
  "flowcontrol.apiserver.k8s.io": "flowschemas prioritylevelconfigurations",
  "helm.openshift.io": "helmchartrepositories projecthelmchartrepositories",
  "image.openshift.io": "images imagestreams",
  "imageregistry.operator.openshift.io": "configs imagepruners",
  "ingress.operator.openshift.io": "dnsrecords",
  "k8s.cni.cncf.io": "network-attachment-definitions",
  "k8s.ovn.org": "egressfirewalls egressips egressqoses",
  "machine.openshift.io": "machinehealthchecks machines machinesets controlplanemachinesets",
  "machineconfiguration.openshift.io": [
    "containerruntimeconfigs controllerconfigs kubeletconfigs machineconfigpools machineconfigs",
  ].join(" "),
  "migration.k8s.io": "storagestates storageversionmigrations",
  "monitoring.coreos.com": [
    "alertmanagerconfigs alertmanagers podmonitors probes prometheuses prometheusrules",
    "servicemonitors thanosrulers",
  ].join(" "),
  "network.operator.openshift.io": "egressrouters operatorpkis",
  "networking.k8s.io": "ingressclasses ingresses networkpolicies",
  "node.k8s.io": "runtimeclasses",
  "operator.openshift.io": [
    "authentications cloudcredentials clustercsidrivers configs consoles csisnapshotcontrollers",
    "dnses etcds imagecontentsourcepolicies ingresscontrollers kubeapiservers kubecontrollermanagers",
    "kubeschedulers kubestorageversionmigrators networks openshiftapiservers",
    "openshiftcontrollermanagers servicecas storages",
  ].join(" "),
  "operators.coreos.com": [
    "catalogsources clusterserviceversions installplans olmconfigs operatorconditions operatorgroups",
    "operators subscriptions",
  ].join(" "),
  "performance.openshift.io": "performanceprofiles",
  policy: "poddisruptionbudgets podsecuritypolicies",
  "preview.aro.openshift.io": "previewfeatures",
  "project.openshift.io": "projects",
  "quota.openshift.io": "clusterresourcequotas",
  "rbac.authorization.k8s.io": "clusterrolebindings clusterroles rolebindings roles",
  "route.openshift.io": "routes",
  "samples.operator.openshift.io": "configs",
  "scheduling.k8s.io": "priorityclasses",
  "security.internal.openshift.io": "rangeallocations",
  "security.openshift.io": "rangeallocations securitycontextconstraints",
  "snapshot.storage.k8s.io": "volumesnapshotclasses volumesnapshotcontents volumesnapshots",
  "storage.k8s.io": "csidrivers csinodes csistoragecapacities storageclasses volumeattachments",
  "template.openshift.io": "brokertemplateinstances templateinstances templates",
  "tuned.openshift.io": "profiles tuneds",
  "upgrade.managed.openshift.io": "upgradeconfigs",
  "user.openshift.io": "groups identities users",
  "whereabouts.cni.cncf.io": "ippools overlappingrangeipreservations",
};

const listed: ResourceNames = {
  "": "componentstatuses",
  "authorization.openshift.io": "clusterrolebindings clusterroles rolebindings roles",
  "image.openshift.io": "imagestreamtags imagetags",
  "metrics.k8s.io": "nodes pods",
  "packages.operators.coreos.com": "packagemanifests",
  "quota.openshift.io": "appliedclusterresourcequotas",
};

const fetched: ResourceNames = {
  "": "pods/log",
  "apps.openshift.io": "deploymentconfigs/log",
  "build.openshift.io": "builds/log",
  "image.openshift.io": "imagestreamimages",
  "user.openshift.io": "useridentitymappings",
};

const reviewed: ResourceNames = {
  "authentication.k8s.io": "tokenreviews",
  "authorization.k8s.io": "selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
  "authorization.openshift.io": "resourceaccessreviews subjectaccessreviews",
};

const onlyListed: ResourceNames = {
  "project.openshift.io": "projectrequests",
};

/**
 * Permissions of SREs. They may read everything except Secrets and OAuth, and create access reviews (Azure/ARO-RP
 * pkg/operator/controllers/rbac).
 */
export const sreRules: readonly PolicyRule[] = [
  ...rulesOf(watched, ["get", "list", "watch"]),
  ...rulesOf(listed, ["get", "list"]),
  ...rulesOf(onlyListed, ["list"]),
  ...rulesOf(fetched, ["get"]),
  ...rulesOf(reviewed, ["create"]),
  { nonResourceURLs: ["*"], verbs: ["get"] },
];
