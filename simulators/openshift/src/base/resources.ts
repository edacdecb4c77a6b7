import type { ResourceRef } from "@keelson/apiserver";
import { type KubeResource, resources as known } from "@keelson/kube";

/** Resource in the format of both the logical cluster's client and the controllers' cache. */
export interface Resource extends KubeResource, ResourceRef {}

export function namespaced(group: string, version: string, plural: string, kind: string): Resource {
  return resource({ group, version, plural, kind, namespaced: true });
}

export function clusterScoped(group: string, version: string, plural: string, kind: string): Resource {
  return resource({ group, version, plural, kind, namespaced: false });
}

function resource(kube: KubeResource): Resource {
  return { ...kube, resource: kube.plural };
}

const config = (plural: string, kind: string) => clusterScoped("config.openshift.io", "v1", plural, kind);
const machineConfiguration = (plural: string, kind: string) =>
  clusterScoped("machineconfiguration.openshift.io", "v1", plural, kind);

/** Resources that the simulation uses. */
export const resources = {
  configMaps: resource(known.configMaps),
  endpoints: namespaced("", "v1", "endpoints", "Endpoints"),
  events: resource(known.events),
  namespaces: resource(known.namespaces),
  nodes: resource(known.nodes),
  persistentVolumeClaims: resource(known.persistentVolumeClaims),
  persistentVolumes: resource(known.persistentVolumes),
  pods: resource(known.pods),
  catalogSources: namespaced("operators.coreos.com", "v1alpha1", "catalogsources", "CatalogSource"),
  operatorHubs: resource(known.operatorHubs),
  replicationControllers: namespaced("", "v1", "replicationcontrollers", "ReplicationController"),
  secrets: resource(known.secrets),
  serviceAccounts: resource(known.serviceAccounts),
  services: resource(known.services),

  controllerRevisions: namespaced("apps", "v1", "controllerrevisions", "ControllerRevision"),
  daemonSets: resource(known.daemonSets),
  deployments: resource(known.deployments),
  replicaSets: resource(known.replicaSets),
  statefulSets: resource(known.statefulSets),
  horizontalPodAutoscalers: namespaced(
    "autoscaling",
    "v2",
    "horizontalpodautoscalers",
    "HorizontalPodAutoscaler",
  ),
  cronJobs: resource(known.cronJobs),
  jobs: resource(known.jobs),
  endpointSlices: namespaced("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice"),
  disruptionBudgets: resource(known.podDisruptionBudgets),
  storageClasses: resource(known.storageClasses),

  certificateRequests: clusterScoped(
    "certificates.k8s.io",
    "v1",
    "certificatesigningrequests",
    "CertificateSigningRequest",
  ),
  customResourceDefinitions: resource(known.customResourceDefinitions),
  leases: resource(known.leases),
  priorityClasses: clusterScoped("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass"),
  mutatingWebhooks: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "mutatingwebhookconfigurations",
    "MutatingWebhookConfiguration",
  ),
  validatingWebhooks: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
  ),

  authentications: config("authentications", "Authentication"),
  clusterOperators: resource(known.clusterOperators),
  clusterVersions: resource(known.clusterVersions),
  consoleConfigs: config("consoles", "Console"),
  featureGates: resource(known.featureGates),
  imageConfigs: resource(known.configImages),
  proxies: resource(known.proxies),

  etcds: resource(known.etcds),
  imageRegistries: resource(known.imageRegistryConfigs),
  ingressControllers: resource(known.ingressControllers),
  kubeApiServers: resource(known.kubeApiServers),
  kubeControllerManagers: resource(known.kubeControllerManagers),
  kubeSchedulers: clusterScoped("operator.openshift.io", "v1", "kubeschedulers", "KubeScheduler"),

  controlPlaneMachineSets: resource(known.controlPlaneMachineSets),
  machineHealthChecks: resource(known.machineHealthChecks),
  machineSets: resource(known.machineSets),
  machines: resource(known.machines),

  containerRuntimeConfigs: machineConfiguration("containerruntimeconfigs", "ContainerRuntimeConfig"),
  controllerConfigs: machineConfiguration("controllerconfigs", "ControllerConfig"),
  kubeletConfigs: resource(known.kubeletConfigs),
  machineConfigPools: resource(known.machineConfigPools),
  machineConfigs: resource(known.machineConfigs),

  aroClusters: resource(known.aroClusters),
  credentialsRequests: resource(known.credentialsRequests),
  storageVersionMigrations: clusterScoped(
    "migration.k8s.io",
    "v1alpha1",
    "storageversionmigrations",
    "StorageVersionMigration",
  ),
  routes: namespaced("route.openshift.io", "v1", "routes", "Route"),
} satisfies Record<string, Resource>;
