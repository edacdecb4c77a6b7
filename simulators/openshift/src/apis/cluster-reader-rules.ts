const read = ["get", "list", "watch"];

/**
 * Resources that the role `cluster-reader` can read in addition to those of the role `view`, by API group. Secrets and tokens are
 * excluded. Sources: openshift/origin (bootstrap policy) and the manifests of the operators.
 */
const readable: Readonly<Record<string, readonly string[]>> = {
  "": [
    "componentstatuses",
    "namespaces",
    "nodes",
    "nodes/status",
    "persistentvolumeclaims/status",
    "persistentvolumes",
    "persistentvolumes/status",
    "pods/status",
    "podtemplates",
    "services/status",
  ],
  "admissionregistration.k8s.io": [
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
  ],
  "apiextensions.k8s.io": ["customresourcedefinitions", "customresourcedefinitions/status"],
  "apiregistration.k8s.io": ["apiservices", "apiservices/status"],
  "apiserver.openshift.io": ["apirequestcounts"],
  "certificates.k8s.io": ["certificatesigningrequests"],
  "cloudcredential.openshift.io": ["credentialsrequests"],
  "config.openshift.io": ["*"],
  "console.openshift.io": ["*"],
  "image.openshift.io": ["images", "imagesignatures"],
  "imageregistry.operator.openshift.io": ["configs", "imagepruners"],
  "machine.openshift.io": ["*"],
  "machineconfiguration.openshift.io": ["*"],
  "metrics.k8s.io": ["nodes", "pods"],
  "monitoring.coreos.com": ["*"],
  "oauth.openshift.io": ["oauthclientauthorizations"],
  "operator.openshift.io": ["*"],
  "operators.coreos.com": ["*"],
  "quota.openshift.io": ["clusterresourcequotas", "clusterresourcequotas/status"],
  "rbac.authorization.k8s.io": ["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
  "samples.operator.openshift.io": ["configs"],
  "scheduling.k8s.io": ["priorityclasses"],
  "security.openshift.io": ["rangeallocations", "securitycontextconstraints"],
  "storage.k8s.io": ["*"],
  "user.openshift.io": ["groups", "identities", "useridentitymappings", "users"],
};

/** Rules that the role `cluster-reader` has in addition to those of the role `view`. */
export const clusterReaderRules: readonly object[] = [
  ...Object.entries(readable).map(([group, resources]) => ({ apiGroups: [group], resources, verbs: read })),
  {
    apiGroups: ["authorization.k8s.io", "authorization.openshift.io"],
    resources: ["resourceaccessreviews", "subjectaccessreviews", "selfsubjectaccessreviews"],
    verbs: ["create"],
  },
  { apiGroups: [""], resources: ["nodes/metrics", "nodes/spec"], verbs: ["get"] },
  { nonResourceURLs: ["*"], verbs: ["get"] },
];
