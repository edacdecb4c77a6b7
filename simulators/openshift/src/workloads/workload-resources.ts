import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { textAt } from "../runtime/fields.ts";
import type { Indexers } from "./object-cache.ts";

const ref = (group: string, version: string, resource: string): ResourceRef => ({ group, version, resource });

/** The resources that the workload controllers work with. */
export const workloadResources = {
  configMaps: ref("", "v1", "configmaps"),
  endpoints: ref("", "v1", "endpoints"),
  events: ref("", "v1", "events"),
  nodes: ref("", "v1", "nodes"),
  persistentVolumeClaims: ref("", "v1", "persistentvolumeclaims"),
  persistentVolumes: ref("", "v1", "persistentvolumes"),
  pods: ref("", "v1", "pods"),
  replicationControllers: ref("", "v1", "replicationcontrollers"),
  secrets: ref("", "v1", "secrets"),
  serviceAccounts: ref("", "v1", "serviceaccounts"),
  services: ref("", "v1", "services"),
  controllerRevisions: ref("apps", "v1", "controllerrevisions"),
  daemonSets: ref("apps", "v1", "daemonsets"),
  deployments: ref("apps", "v1", "deployments"),
  replicaSets: ref("apps", "v1", "replicasets"),
  statefulSets: ref("apps", "v1", "statefulsets"),
  cronJobs: ref("batch", "v1", "cronjobs"),
  horizontalPodAutoscalers: ref("autoscaling", "v2", "horizontalpodautoscalers"),
  jobs: ref("batch", "v1", "jobs"),
  endpointSlices: ref("discovery.k8s.io", "v1", "endpointslices"),
  disruptionBudgets: ref("policy", "v1", "poddisruptionbudgets"),
  storageClasses: ref("storage.k8s.io", "v1", "storageclasses"),
} satisfies Record<string, ResourceRef>;

const namespaceOf = ({ metadata }: KubeObject) => metadata.namespace;
const controllerOf = ({ metadata }: KubeObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid;

/** Ways to find objects: by `namespace`, by the `controller` that owns them, pods by their `node`. */
export const workloadIndexers: Readonly<Record<string, Indexers>> = {
  pods: {
    namespace: namespaceOf,
    controller: controllerOf,
    /** By namespace, those that nobody controls. */
    orphan: (pod) => (controllerOf(pod) === undefined ? pod.metadata.namespace : undefined),
    node: (pod) => textAt(pod, "spec", "nodeName") ?? "",
  },
  "replicasets.apps": { controller: controllerOf },
  "jobs.batch": { controller: controllerOf },
  "daemonsets.apps": { namespace: namespaceOf },
  services: { namespace: namespaceOf },
  "poddisruptionbudgets.policy": { namespace: namespaceOf },
  "endpointslices.discovery.k8s.io": { namespace: namespaceOf },
  "controllerrevisions.apps": { controller: controllerOf },
};
