import type { ResourceType } from "../resource-type.ts";

interface Traits {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly subresources?: readonly string[];
  readonly clusterScoped?: boolean;
}

const full = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"] as const;
const createOnly = ["create"] as const;
const all = ["all"] as const;
const extensions = ["api-extensions"] as const;
const status = ["status"] as const;
const scalable = ["status", "scale"] as const;

function declare(group: string, version: string) {
  return (plural: string, kind: string, traits: Traits = {}): ResourceType => ({
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: traits.shortNames ?? [],
    categories: traits.categories ?? [],
    namespaced: !traits.clusterScoped,
    verbs: traits.verbs ?? full,
    subresources: traits.subresources ?? [],
    columns: [],
    origin: "builtin",
  });
}

/** As `declare`, for cluster-scoped kinds. */
function declareClusterScoped(group: string, version: string) {
  const inGroup = declare(group, version);
  return (plural: string, kind: string, traits: Traits = {}): ResourceType =>
    inGroup(plural, kind, { ...traits, clusterScoped: true });
}

const core = declare("", "v1");
const coreCluster = declareClusterScoped("", "v1");
const apps = declare("apps", "v1");
const batch = declare("batch", "v1");
const rbac = declare("rbac.authorization.k8s.io", "v1");
const rbacCluster = declareClusterScoped("rbac.authorization.k8s.io", "v1");
const networking = declare("networking.k8s.io", "v1");
const networkingCluster = declareClusterScoped("networking.k8s.io", "v1");
const admission = declareClusterScoped("admissionregistration.k8s.io", "v1");
const authentication = declareClusterScoped("authentication.k8s.io", "v1");
const authorization = declare("authorization.k8s.io", "v1");
const authorizationCluster = declareClusterScoped("authorization.k8s.io", "v1");
const storage = declare("storage.k8s.io", "v1");
const storageCluster = declareClusterScoped("storage.k8s.io", "v1");
const flowControl = declareClusterScoped("flowcontrol.apiserver.k8s.io", "v1");

/**
 * The resources a Kubernetes 1.32 API server serves in its stable versions, as its discovery names them.
 * `columns` is empty: the columns of built-in kinds are computed (see `../table/builtin-columns.ts`).
 */
export const builtinTypes: readonly ResourceType[] = [
  coreCluster("componentstatuses", "ComponentStatus", { shortNames: ["cs"], verbs: ["get", "list"] }),
  core("configmaps", "ConfigMap", { shortNames: ["cm"] }),
  core("endpoints", "Endpoints", { shortNames: ["ep"] }),
  core("events", "Event", { shortNames: ["ev"] }),
  core("limitranges", "LimitRange", { shortNames: ["limits"] }),
  coreCluster("namespaces", "Namespace", {
    shortNames: ["ns"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    subresources: ["finalize", "status"],
  }),
  coreCluster("nodes", "Node", { shortNames: ["no"], subresources: ["proxy", "status"] }),
  core("persistentvolumeclaims", "PersistentVolumeClaim", { shortNames: ["pvc"], subresources: status }),
  coreCluster("persistentvolumes", "PersistentVolume", { shortNames: ["pv"], subresources: status }),
  core("pods", "Pod", {
    shortNames: ["po"],
    categories: all,
    subresources: [
      "attach",
      "binding",
      "ephemeralcontainers",
      "eviction",
      "exec",
      "log",
      "portforward",
      "proxy",
      "status",
    ],
  }),
  core("podtemplates", "PodTemplate"),
  core("replicationcontrollers", "ReplicationController", {
    shortNames: ["rc"],
    categories: all,
    subresources: scalable,
  }),
  core("resourcequotas", "ResourceQuota", { shortNames: ["quota"], subresources: status }),
  core("secrets", "Secret"),
  core("serviceaccounts", "ServiceAccount", { shortNames: ["sa"], subresources: ["token"] }),
  core("services", "Service", {
    shortNames: ["svc"],
    categories: all,
    subresources: ["proxy", "status"],
  }),

  apps("controllerrevisions", "ControllerRevision"),
  apps("daemonsets", "DaemonSet", { shortNames: ["ds"], categories: all, subresources: status }),
  apps("deployments", "Deployment", { shortNames: ["deploy"], categories: all, subresources: scalable }),
  apps("replicasets", "ReplicaSet", { shortNames: ["rs"], categories: all, subresources: scalable }),
  apps("statefulsets", "StatefulSet", { shortNames: ["sts"], categories: all, subresources: scalable }),

  batch("cronjobs", "CronJob", { shortNames: ["cj"], categories: all, subresources: status }),
  batch("jobs", "Job", { categories: all, subresources: status }),

  rbacCluster("clusterrolebindings", "ClusterRoleBinding"),
  rbacCluster("clusterroles", "ClusterRole"),
  rbac("rolebindings", "RoleBinding"),
  rbac("roles", "Role"),

  declare("policy", "v1")("poddisruptionbudgets", "PodDisruptionBudget", {
    shortNames: ["pdb"],
    subresources: status,
  }),

  networkingCluster("ingressclasses", "IngressClass"),
  networking("ingresses", "Ingress", { shortNames: ["ing"], subresources: status }),
  networking("networkpolicies", "NetworkPolicy", { shortNames: ["netpol"] }),

  declare("coordination.k8s.io", "v1")("leases", "Lease"),
  declare("discovery.k8s.io", "v1")("endpointslices", "EndpointSlice"),
  declare("events.k8s.io", "v1")("events", "Event", { shortNames: ["ev"] }),

  declareClusterScoped("apiextensions.k8s.io", "v1")(
    "customresourcedefinitions",
    "CustomResourceDefinition",
    {
      shortNames: ["crd", "crds"],
      categories: extensions,
      subresources: status,
    },
  ),
  declareClusterScoped("apiregistration.k8s.io", "v1")("apiservices", "APIService", {
    categories: extensions,
    subresources: status,
  }),

  admission("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", { categories: extensions }),
  admission("validatingadmissionpolicies", "ValidatingAdmissionPolicy", {
    categories: extensions,
    subresources: status,
  }),
  admission("validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", {
    categories: extensions,
  }),
  admission("validatingwebhookconfigurations", "ValidatingWebhookConfiguration", { categories: extensions }),

  authentication("selfsubjectreviews", "SelfSubjectReview", { verbs: createOnly }),
  authentication("tokenreviews", "TokenReview", { verbs: createOnly }),

  authorization("localsubjectaccessreviews", "LocalSubjectAccessReview", { verbs: createOnly }),
  authorizationCluster("selfsubjectaccessreviews", "SelfSubjectAccessReview", { verbs: createOnly }),
  authorizationCluster("selfsubjectrulesreviews", "SelfSubjectRulesReview", { verbs: createOnly }),
  authorizationCluster("subjectaccessreviews", "SubjectAccessReview", { verbs: createOnly }),

  declareClusterScoped("certificates.k8s.io", "v1")(
    "certificatesigningrequests",
    "CertificateSigningRequest",
    { shortNames: ["csr"], subresources: ["approval", "status"] },
  ),

  // The version a client prefers comes first: v2 for autoscaling.
  ...["v2", "v1"].map((version) =>
    declare("autoscaling", version)("horizontalpodautoscalers", "HorizontalPodAutoscaler", {
      shortNames: ["hpa"],
      categories: all,
      subresources: status,
    }),
  ),

  declareClusterScoped("scheduling.k8s.io", "v1")("priorityclasses", "PriorityClass", {
    shortNames: ["pc"],
  }),

  storageCluster("csidrivers", "CSIDriver"),
  storageCluster("csinodes", "CSINode"),
  storage("csistoragecapacities", "CSIStorageCapacity"),
  storageCluster("storageclasses", "StorageClass", { shortNames: ["sc"] }),
  storageCluster("volumeattachments", "VolumeAttachment", { subresources: status }),

  declareClusterScoped("node.k8s.io", "v1")("runtimeclasses", "RuntimeClass"),

  flowControl("flowschemas", "FlowSchema", { subresources: status }),
  flowControl("prioritylevelconfigurations", "PriorityLevelConfiguration", { subresources: status }),
];
