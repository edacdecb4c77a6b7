import type { KubeObject } from "@keelson/apiserver";
import { clusterReaderRules } from "./cluster-reader-rules.ts";

const rbac = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];

const developerGroups: Readonly<Record<string, readonly string[]>> = {
  "apps.openshift.io": ["*"],
  "build.openshift.io": ["*"],
  "image.openshift.io": [
    "imagestreamimages",
    "imagestreamimports",
    "imagestreammappings",
    "imagestreams",
    "imagestreams/layers",
    "imagestreams/secrets",
    "imagestreams/status",
    "imagestreamtags",
    "imagetags",
  ],
  "route.openshift.io": ["routes", "routes/custom-host", "routes/status"],
  "template.openshift.io": ["processedtemplates", "templateconfigs", "templateinstances", "templates"],
};
/**
 * OpenShift's roles contain these resources also in the core API group. Reviews of `authorization.openshift.io` that specify no
 * group depend on this, for example the review of `oc adm new-project --admin`.
 */
const withCore = (group: string) => ["", group];
const developer = (verbs: readonly string[]) =>
  Object.entries(developerGroups).map(([group, resources]) => ({
    // With `*`, the core group is omitted, because `*` would include all of its resources.
    apiGroups: resources.includes("*") ? [group] : withCore(group),
    resources,
    verbs,
  }));
const project = (verbs: readonly string[]) => ({
  apiGroups: withCore("project.openshift.io"),
  resources: ["projects"],
  verbs,
});

/** Computed kinds that members of a project can read. */
const readable = [
  { apiGroups: withCore("quota.openshift.io"), resources: ["appliedclusterresourcequotas"], verbs: read },
  { apiGroups: ["packages.operators.coreos.com"], resources: ["packagemanifests"], verbs: read },
];

/**
 * Cluster roles that OpenShift adds to Kubernetes (openshift/origin, bootstrap policy). Aggregation extends `admin`, `edit` and
 * `view`.
 */
const roles: Readonly<Record<string, { readonly aggregatedTo?: string; readonly rules: readonly object[] }>> =
  {
    "system:openshift:aggregate-to-admin": {
      aggregatedTo: "admin",
      rules: [
        ...developer([...read, ...write]),
        project([...read, "delete", "patch", "update"]),
        ...readable,
        {
          apiGroups: ["authorization.openshift.io"],
          resources: ["roles", "rolebindings"],
          verbs: [...read, ...write],
        },
        {
          apiGroups: ["authorization.openshift.io"],
          resources: ["localresourceaccessreviews", "localsubjectaccessreviews", "subjectrulesreviews"],
          verbs: ["create"],
        },
      ],
    },
    "system:openshift:aggregate-to-edit": {
      aggregatedTo: "edit",
      rules: [...developer([...read, ...write]), project(read), ...readable],
    },
    "system:openshift:aggregate-to-view": {
      aggregatedTo: "view",
      rules: [...developer(read), project(read), ...readable],
    },
    "system:openshift:aggregate-to-cluster-reader": {
      aggregatedTo: "cluster-reader",
      rules: clusterReaderRules,
    },
    "basic-user": {
      rules: [
        { apiGroups: ["user.openshift.io"], resources: ["users"], resourceNames: ["~"], verbs: ["get"] },
        project(["list", "watch"]),
        { apiGroups: ["project.openshift.io"], resources: ["projectrequests"], verbs: ["list"] },
        {
          apiGroups: ["oauth.openshift.io"],
          resources: ["useroauthaccesstokens"],
          verbs: [...read, "delete"],
        },
        {
          apiGroups: ["authorization.openshift.io"],
          resources: ["selfsubjectrulesreviews"],
          verbs: ["create"],
        },
      ],
    },
    "self-provisioner": {
      rules: [{ apiGroups: ["project.openshift.io"], resources: ["projectrequests"], verbs: ["create"] }],
    },
    "shared-resource-viewer": {
      rules: [
        { apiGroups: ["template.openshift.io"], resources: ["templates"], verbs: read },
        {
          apiGroups: ["image.openshift.io"],
          resources: ["imagestreamimages", "imagestreams", "imagestreamtags", "imagetags"],
          verbs: read,
        },
        { apiGroups: ["image.openshift.io"], resources: ["imagestreams/layers"], verbs: ["get"] },
      ],
    },
    "system:deployer": {
      rules: [
        {
          apiGroups: [""],
          resources: ["replicationcontrollers"],
          verbs: ["get", "list", "watch", "update", "delete"],
        },
        {
          apiGroups: ["image.openshift.io"],
          resources: ["imagestreamtags", "imagetags"],
          verbs: ["create", "update"],
        },
      ],
    },
    "system:image-builder": {
      rules: [
        { apiGroups: ["image.openshift.io"], resources: ["imagestreams/layers"], verbs: ["get", "update"] },
        { apiGroups: ["image.openshift.io"], resources: ["imagestreams"], verbs: ["create"] },
      ],
    },
    "system:image-puller": {
      rules: [{ apiGroups: ["image.openshift.io"], resources: ["imagestreams/layers"], verbs: ["get"] }],
    },
  };

/** The API server adds missing rules and subjects at its start. */
const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

/** Role that reads all resources except secrets. The API server sets its rules by aggregation. */
const clusterReader: KubeObject = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRole",
  metadata: { name: "cluster-reader", annotations },
  aggregationRule: {
    clusterRoleSelectors: ["cluster-reader", "view"].map((name) => ({
      matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: "true" },
    })),
  },
};

const bindings: Readonly<Record<string, readonly [role: string, group: string]>> = {
  "basic-users": ["basic-user", "system:authenticated"],
  "self-provisioners": ["self-provisioner", "system:authenticated:oauth"],
};

/** Returns the cluster roles and bindings that OpenShift adds to Kubernetes. */
export function defaultRoles(): readonly KubeObject[] {
  return [
    ...Object.entries(roles).map(
      ([name, { aggregatedTo, rules }]): KubeObject => ({
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRole",
        metadata: {
          name,
          annotations,
          ...(aggregatedTo
            ? { labels: { [`rbac.authorization.k8s.io/aggregate-to-${aggregatedTo}`]: "true" } }
            : {}),
        },
        rules,
      }),
    ),
    clusterReader,
    ...Object.entries(bindings).map(
      ([name, [role, group]]): KubeObject => ({
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name, annotations },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
        subjects: [{ apiGroup: rbac, kind: "Group", name: group }],
      }),
    ),
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { namespace: "openshift", name: "shared-resource-viewers", annotations },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "shared-resource-viewer" },
      subjects: [{ apiGroup: rbac, kind: "Group", name: "system:authenticated" }],
    },
  ];
}
