import type { ResourceRef } from "@keelson/apiserver";

const ref = (group: string, version: string, resource: string): ResourceRef => ({ group, version, resource });

/** The resources that the simulation itself works with. */
export const resources = {
  configMaps: ref("", "v1", "configmaps"),
  namespaces: ref("", "v1", "namespaces"),
  nodes: ref("", "v1", "nodes"),
  pods: ref("", "v1", "pods"),
  secrets: ref("", "v1", "secrets"),
  daemonSets: ref("apps", "v1", "daemonsets"),
  deployments: ref("apps", "v1", "deployments"),
  replicaSets: ref("apps", "v1", "replicasets"),
  clusterOperators: ref("config.openshift.io", "v1", "clusteroperators"),
  clusterVersions: ref("config.openshift.io", "v1", "clusterversions"),
  authentications: ref("config.openshift.io", "v1", "authentications"),
  proxies: ref("config.openshift.io", "v1", "proxies"),
  customResourceDefinitions: ref("apiextensions.k8s.io", "v1", "customresourcedefinitions"),
  featureGates: ref("config.openshift.io", "v1", "featuregates"),
  consoleConfigs: ref("config.openshift.io", "v1", "consoles"),
  routes: ref("route.openshift.io", "v1", "routes"),
  etcds: ref("operator.openshift.io", "v1", "etcds"),
  kubeApiServers: ref("operator.openshift.io", "v1", "kubeapiservers"),
  kubeControllerManagers: ref("operator.openshift.io", "v1", "kubecontrollermanagers"),
  kubeSchedulers: ref("operator.openshift.io", "v1", "kubeschedulers"),
  ingressControllers: ref("operator.openshift.io", "v1", "ingresscontrollers"),
  machines: ref("machine.openshift.io", "v1beta1", "machines"),
  machineSets: ref("machine.openshift.io", "v1beta1", "machinesets"),
  controlPlaneMachineSets: ref("machine.openshift.io", "v1", "controlplanemachinesets"),
  machineHealthChecks: ref("machine.openshift.io", "v1beta1", "machinehealthchecks"),
  containerRuntimeConfigs: ref("machineconfiguration.openshift.io", "v1", "containerruntimeconfigs"),
  controllerConfigs: ref("machineconfiguration.openshift.io", "v1", "controllerconfigs"),
  kubeletConfigs: ref("machineconfiguration.openshift.io", "v1", "kubeletconfigs"),
  machineConfigs: ref("machineconfiguration.openshift.io", "v1", "machineconfigs"),
  credentialsRequests: ref("cloudcredential.openshift.io", "v1", "credentialsrequests"),
  leases: ref("coordination.k8s.io", "v1", "leases"),
  machineConfigPools: ref("machineconfiguration.openshift.io", "v1", "machineconfigpools"),
} satisfies Record<string, ResourceRef>;
