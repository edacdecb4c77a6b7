import type { KubeObject } from "./kube-object.ts";

/** Resource that the client can address, with the type of its objects. */
export interface KubeResource<T extends KubeObject = KubeObject> {
  /** API group. Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Type-only field that is never set. It connects the object type to the resource. */
  readonly objectType?: T;
}

function namespaced(group: string, version: string, plural: string, kind: string): KubeResource {
  return { group, version, plural, kind, namespaced: true };
}

function clusterScoped(group: string, version: string, plural: string, kind: string): KubeResource {
  return { group, version, plural, kind, namespaced: false };
}

/**
 * Resources that Keelson uses in a cluster. The keys are plural resource names. A prefix distinguishes equal names of different
 * groups.
 */
export const resources = {
  configMaps: namespaced("", "v1", "configmaps", "ConfigMap"),
  endpoints: namespaced("", "v1", "endpoints", "Endpoints"),
  events: namespaced("", "v1", "events", "Event"),
  namespaces: clusterScoped("", "v1", "namespaces", "Namespace"),
  nodes: clusterScoped("", "v1", "nodes", "Node"),
  persistentVolumeClaims: namespaced("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim"),
  persistentVolumes: clusterScoped("", "v1", "persistentvolumes", "PersistentVolume"),
  pods: namespaced("", "v1", "pods", "Pod"),
  secrets: namespaced("", "v1", "secrets", "Secret"),
  serviceAccounts: namespaced("", "v1", "serviceaccounts", "ServiceAccount"),
  services: namespaced("", "v1", "services", "Service"),

  daemonSets: namespaced("apps", "v1", "daemonsets", "DaemonSet"),
  deployments: namespaced("apps", "v1", "deployments", "Deployment"),
  replicaSets: namespaced("apps", "v1", "replicasets", "ReplicaSet"),
  statefulSets: namespaced("apps", "v1", "statefulsets", "StatefulSet"),
  cronJobs: namespaced("batch", "v1", "cronjobs", "CronJob"),
  jobs: namespaced("batch", "v1", "jobs", "Job"),

  clusterRoleBindings: clusterScoped(
    "rbac.authorization.k8s.io",
    "v1",
    "clusterrolebindings",
    "ClusterRoleBinding",
  ),
  clusterRoles: clusterScoped("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole"),
  roleBindings: namespaced("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding"),
  roles: namespaced("rbac.authorization.k8s.io", "v1", "roles", "Role"),

  mutatingWebhookConfigurations: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "mutatingwebhookconfigurations",
    "MutatingWebhookConfiguration",
  ),
  validatingAdmissionPolicies: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "validatingadmissionpolicies",
    "ValidatingAdmissionPolicy",
  ),
  validatingAdmissionPolicyBindings: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "validatingadmissionpolicybindings",
    "ValidatingAdmissionPolicyBinding",
  ),
  validatingWebhookConfigurations: clusterScoped(
    "admissionregistration.k8s.io",
    "v1",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
  ),
  apiServices: clusterScoped("apiregistration.k8s.io", "v1", "apiservices", "APIService"),
  certificateSigningRequests: clusterScoped(
    "certificates.k8s.io",
    "v1",
    "certificatesigningrequests",
    "CertificateSigningRequest",
  ),
  customResourceDefinitions: clusterScoped(
    "apiextensions.k8s.io",
    "v1",
    "customresourcedefinitions",
    "CustomResourceDefinition",
  ),
  podMetrics: namespaced("metrics.k8s.io", "v1beta1", "pods", "PodMetrics"),
  nodeMetrics: clusterScoped("metrics.k8s.io", "v1beta1", "nodes", "NodeMetrics"),
  leases: namespaced("coordination.k8s.io", "v1", "leases", "Lease"),
  adminNetworkPolicies: clusterScoped(
    "policy.networking.k8s.io",
    "v1alpha1",
    "adminnetworkpolicies",
    "AdminNetworkPolicy",
  ),
  networkPolicies: namespaced("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy"),
  podDisruptionBudgets: namespaced("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"),
  storageClasses: clusterScoped("storage.k8s.io", "v1", "storageclasses", "StorageClass"),

  apiServers: clusterScoped("config.openshift.io", "v1", "apiservers", "APIServer"),
  authentications: clusterScoped("config.openshift.io", "v1", "authentications", "Authentication"),
  clusterOperators: clusterScoped("config.openshift.io", "v1", "clusteroperators", "ClusterOperator"),
  clusterVersions: clusterScoped("config.openshift.io", "v1", "clusterversions", "ClusterVersion"),
  configImages: clusterScoped("config.openshift.io", "v1", "images", "Image"),
  configIngresses: clusterScoped("config.openshift.io", "v1", "ingresses", "Ingress"),
  configNodes: clusterScoped("config.openshift.io", "v1", "nodes", "Node"),
  operatorHubs: clusterScoped("config.openshift.io", "v1", "operatorhubs", "OperatorHub"),
  configNetworks: clusterScoped("config.openshift.io", "v1", "networks", "Network"),
  dnses: clusterScoped("config.openshift.io", "v1", "dnses", "DNS"),
  featureGates: clusterScoped("config.openshift.io", "v1", "featuregates", "FeatureGate"),
  infrastructures: clusterScoped("config.openshift.io", "v1", "infrastructures", "Infrastructure"),
  oauths: clusterScoped("config.openshift.io", "v1", "oauths", "OAuth"),
  proxies: clusterScoped("config.openshift.io", "v1", "proxies", "Proxy"),
  schedulers: clusterScoped("config.openshift.io", "v1", "schedulers", "Scheduler"),

  clusterCsiDrivers: clusterScoped("operator.openshift.io", "v1", "clustercsidrivers", "ClusterCSIDriver"),
  cloudCredentials: clusterScoped("operator.openshift.io", "v1", "cloudcredentials", "CloudCredential"),
  ingressControllers: namespaced("operator.openshift.io", "v1", "ingresscontrollers", "IngressController"),
  etcds: clusterScoped("operator.openshift.io", "v1", "etcds", "Etcd"),
  operatorNetworks: clusterScoped("operator.openshift.io", "v1", "networks", "Network"),
  operatorDnses: clusterScoped("operator.openshift.io", "v1", "dnses", "DNS"),
  operatorConsoles: clusterScoped("operator.openshift.io", "v1", "consoles", "Console"),
  kubeControllerManagers: clusterScoped(
    "operator.openshift.io",
    "v1",
    "kubecontrollermanagers",
    "KubeControllerManager",
  ),
  kubeApiServers: clusterScoped("operator.openshift.io", "v1", "kubeapiservers", "KubeAPIServer"),

  consoleNotifications: clusterScoped(
    "console.openshift.io",
    "v1",
    "consolenotifications",
    "ConsoleNotification",
  ),

  credentialsRequests: namespaced(
    "cloudcredential.openshift.io",
    "v1",
    "credentialsrequests",
    "CredentialsRequest",
  ),
  imageRegistryConfigs: clusterScoped("imageregistry.operator.openshift.io", "v1", "configs", "Config"),
  samplesConfigs: clusterScoped("samples.operator.openshift.io", "v1", "configs", "Config"),

  securityContextConstraints: clusterScoped(
    "security.openshift.io",
    "v1",
    "securitycontextconstraints",
    "SecurityContextConstraints",
  ),

  podMonitors: namespaced("monitoring.coreos.com", "v1", "podmonitors", "PodMonitor"),
  serviceMonitors: namespaced("monitoring.coreos.com", "v1", "servicemonitors", "ServiceMonitor"),
  prometheusRules: namespaced("monitoring.coreos.com", "v1", "prometheusrules", "PrometheusRule"),

  controlPlaneMachineSets: namespaced(
    "machine.openshift.io",
    "v1",
    "controlplanemachinesets",
    "ControlPlaneMachineSet",
  ),
  machineHealthChecks: namespaced(
    "machine.openshift.io",
    "v1beta1",
    "machinehealthchecks",
    "MachineHealthCheck",
  ),
  machineSets: namespaced("machine.openshift.io", "v1beta1", "machinesets", "MachineSet"),
  machines: namespaced("machine.openshift.io", "v1beta1", "machines", "Machine"),
  kubeletConfigs: clusterScoped("machineconfiguration.openshift.io", "v1", "kubeletconfigs", "KubeletConfig"),
  machineConfigPools: clusterScoped(
    "machineconfiguration.openshift.io",
    "v1",
    "machineconfigpools",
    "MachineConfigPool",
  ),
  machineConfigs: clusterScoped("machineconfiguration.openshift.io", "v1", "machineconfigs", "MachineConfig"),

  clusterDeployments: namespaced("hive.openshift.io", "v1", "clusterdeployments", "ClusterDeployment"),
  clusterProvisions: namespaced("hive.openshift.io", "v1", "clusterprovisions", "ClusterProvision"),

  aroClusters: clusterScoped("aro.openshift.io", "v1alpha1", "clusters", "Cluster"),
  previewFeatures: clusterScoped("preview.aro.openshift.io", "v1alpha1", "previewfeatures", "PreviewFeature"),
} as const satisfies Readonly<Record<string, KubeResource>>;

/** Returns the `apiVersion` of the resource's objects, for example `v1` or `apps/v1`. */
export function apiVersionOf({ group, version }: KubeResource): string {
  return group === "" ? version : `${group}/${version}`;
}
