import { clusterScoped, namespaced, type Resource } from "../../base/resources.ts";

const config = (plural: string, kind: string) => clusterScoped("config.openshift.io", "v1", plural, kind);
const operator = (plural: string, kind: string) => clusterScoped("operator.openshift.io", "v1", plural, kind);
const machineConfig = (plural: string, kind: string) =>
  clusterScoped("machineconfiguration.openshift.io", "v1", plural, kind);
const admission = (plural: string, kind: string) =>
  clusterScoped("admissionregistration.k8s.io", "v1", plural, kind);

/** Cluster-scoped kinds of a must-gather. */
export const clusterResources: readonly Resource[] = [
  clusterScoped("", "v1", "nodes", "Node"),
  clusterScoped("", "v1", "persistentvolumes", "PersistentVolume"),
  admission("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"),
  admission("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
  clusterScoped("apiregistration.k8s.io", "v1", "apiservices", "APIService"),
  clusterScoped("certificates.k8s.io", "v1", "certificatesigningrequests", "CertificateSigningRequest"),
  config("apiservers", "APIServer"),
  config("authentications", "Authentication"),
  config("clusteroperators", "ClusterOperator"),
  config("clusterversions", "ClusterVersion"),
  config("consoles", "Console"),
  config("dnses", "DNS"),
  config("featuregates", "FeatureGate"),
  config("images", "Image"),
  config("infrastructures", "Infrastructure"),
  config("ingresses", "Ingress"),
  config("networks", "Network"),
  config("oauths", "OAuth"),
  config("operatorhubs", "OperatorHub"),
  config("proxies", "Proxy"),
  config("schedulers", "Scheduler"),
  machineConfig("controllerconfigs", "ControllerConfig"),
  machineConfig("machineconfigpools", "MachineConfigPool"),
  machineConfig("machineconfigs", "MachineConfig"),
  operator("authentications", "Authentication"),
  operator("etcds", "Etcd"),
  operator("kubeapiservers", "KubeAPIServer"),
  operator("kubecontrollermanagers", "KubeControllerManager"),
  operator("kubeschedulers", "KubeScheduler"),
  operator("openshiftapiservers", "OpenShiftAPIServer"),
  clusterScoped("storage.k8s.io", "v1", "storageclasses", "StorageClass"),
];

/** Kinds in each namespace of a must-gather. Secrets are excluded. */
export const namespaceResources: readonly Resource[] = [
  namespaced("", "v1", "configmaps", "ConfigMap"),
  namespaced("", "v1", "endpoints", "Endpoints"),
  namespaced("", "v1", "events", "Event"),
  namespaced("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim"),
  namespaced("", "v1", "pods", "Pod"),
  namespaced("", "v1", "replicationcontrollers", "ReplicationController"),
  namespaced("", "v1", "services", "Service"),
  namespaced("apps", "v1", "daemonsets", "DaemonSet"),
  namespaced("apps", "v1", "deployments", "Deployment"),
  namespaced("apps", "v1", "replicasets", "ReplicaSet"),
  namespaced("apps", "v1", "statefulsets", "StatefulSet"),
  namespaced("batch", "v1", "cronjobs", "CronJob"),
  namespaced("batch", "v1", "jobs", "Job"),
  namespaced("machine.openshift.io", "v1beta1", "machines", "Machine"),
  namespaced("machine.openshift.io", "v1beta1", "machinesets", "MachineSet"),
  namespaced("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"),
  namespaced("route.openshift.io", "v1", "routes", "Route"),
];
