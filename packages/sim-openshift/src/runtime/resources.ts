import type { ResourceRef } from "@keelson/apiserver";

const ref = (group: string, version: string, resource: string): ResourceRef => ({ group, version, resource });

/** The resources that the simulation itself works with. */
export const resources = {
  configMaps: ref("", "v1", "configmaps"),
  nodes: ref("", "v1", "nodes"),
  pods: ref("", "v1", "pods"),
  secrets: ref("", "v1", "secrets"),
  daemonSets: ref("apps", "v1", "daemonsets"),
  deployments: ref("apps", "v1", "deployments"),
  replicaSets: ref("apps", "v1", "replicasets"),
  clusterOperators: ref("config.openshift.io", "v1", "clusteroperators"),
  clusterVersions: ref("config.openshift.io", "v1", "clusterversions"),
  consoleConfigs: ref("config.openshift.io", "v1", "consoles"),
  routes: ref("route.openshift.io", "v1", "routes"),
  ingressControllers: ref("operator.openshift.io", "v1", "ingresscontrollers"),
  machines: ref("machine.openshift.io", "v1beta1", "machines"),
  machineSets: ref("machine.openshift.io", "v1beta1", "machinesets"),
  machineConfigPools: ref("machineconfiguration.openshift.io", "v1", "machineconfigpools"),
} satisfies Record<string, ResourceRef>;
