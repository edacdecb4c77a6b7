import type { KubeObject } from "../kube-object.ts";
import type { ResourceRef } from "../logical-cluster.ts";
import { createObject } from "../registry/create.ts";
import type { RegistryContext } from "../registry/registry-context.ts";
import { keyOf } from "../registry/served-resource.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const namespaces: ResourceRef = { group: "", version: "v1", resource: "namespaces" };
const clusterRoles: ResourceRef = { group: rbacGroup, version: "v1", resource: "clusterroles" };
const clusterRoleBindings: ResourceRef = { group: rbacGroup, version: "v1", resource: "clusterrolebindings" };

const bootstrapMetadata = {
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
};
const readVerbs = ["get", "list", "watch"];
const writeVerbs = ["create", "delete", "deletecollection", "patch", "update"];
/** The groups whose namespaced resources `view` and `edit` are about. */
const workloadGroups = ["apps", "autoscaling", "batch", "discovery.k8s.io", "networking.k8s.io", "policy"];
const coreResources = [
  "bindings",
  "configmaps",
  "endpoints",
  "events",
  "limitranges",
  "persistentvolumeclaims",
  "persistentvolumeclaims/status",
  "pods",
  "pods/log",
  "pods/status",
  "replicationcontrollers",
  "replicationcontrollers/scale",
  "replicationcontrollers/status",
  "resourcequotas",
  "resourcequotas/status",
  "serviceaccounts",
  "services",
  "services/status",
];
const interactiveResources = [
  "pods/attach",
  "pods/exec",
  "pods/portforward",
  "pods/eviction",
  "serviceaccounts/token",
];

const healthPaths = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const discoveryPaths = [...healthPaths, "/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];

const view = [
  { apiGroups: [""], resources: [...coreResources, "namespaces"], verbs: readVerbs },
  { apiGroups: workloadGroups, resources: ["*"], verbs: readVerbs },
];
const edit = [
  ...view,
  {
    apiGroups: [""],
    resources: [...coreResources, ...interactiveResources, "secrets"],
    verbs: [...readVerbs, ...writeVerbs],
  },
  { apiGroups: workloadGroups, resources: ["*"], verbs: writeVerbs },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: [...readVerbs, ...writeVerbs] },
];
const admin = [
  ...edit,
  { apiGroups: [rbacGroup], resources: ["roles", "rolebindings"], verbs: [...readVerbs, ...writeVerbs] },
  { apiGroups: ["authorization.k8s.io"], resources: ["localsubjectaccessreviews"], verbs: ["create"] },
];
const selfReviews = [
  {
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
    verbs: ["create"],
  },
  { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
];

const roles: Readonly<Record<string, readonly unknown[]>> = {
  "cluster-admin": [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ],
  admin,
  edit,
  view,
  "system:basic-user": selfReviews,
  "system:discovery": [{ nonResourceURLs: discoveryPaths, verbs: ["get"] }],
  "system:public-info-viewer": [{ nonResourceURLs: healthPaths, verbs: ["get"] }],
};

const group = (name: string) => ({ apiGroup: rbacGroup, kind: "Group", name });
const user = (name: string) => ({ apiGroup: rbacGroup, kind: "User", name });

const bindings: Readonly<Record<string, { readonly role: string; readonly subjects: readonly unknown[] }>> = {
  "cluster-admin": { role: "cluster-admin", subjects: [group("system:masters")] },
  // The user of an installer's kubeconfig has no group (OpenShift binds it the same way).
  "cluster-admins": {
    role: "cluster-admin",
    subjects: [group("system:cluster-admins"), user("system:admin")],
  },
  "system:basic-user": { role: "system:basic-user", subjects: [group("system:authenticated")] },
  "system:discovery": { role: "system:discovery", subjects: [group("system:authenticated")] },
  "system:public-info-viewer": {
    role: "system:public-info-viewer",
    subjects: [group("system:authenticated"), group("system:unauthenticated")],
  },
};

/** Creates what every cluster starts with: its namespaces and the default roles and bindings. Idempotent. */
export async function bootstrapCluster(context: RegistryContext): Promise<void> {
  const ensure = async (ref: ResourceRef, object: KubeObject): Promise<void> => {
    const resource = context.directory.get(ref);
    if (context.store.get(resource.bucket, keyOf(undefined, object.metadata.name))) return;
    await createObject(context, resource, undefined, object);
  };
  await Promise.all([
    ...["default", "kube-system", "kube-public", "kube-node-lease"].map((name) =>
      ensure(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    ),
    ...Object.entries(roles).map(([name, rules]) =>
      ensure(clusterRoles, {
        apiVersion: `${rbacGroup}/v1`,
        kind: "ClusterRole",
        metadata: { name, ...bootstrapMetadata },
        rules,
      }),
    ),
    ...Object.entries(bindings).map(([name, { role, subjects }]) =>
      ensure(clusterRoleBindings, {
        apiVersion: `${rbacGroup}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name, ...bootstrapMetadata },
        roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
        subjects,
      }),
    ),
  ]);
}
