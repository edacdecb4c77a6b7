import type { AggregatedResource, KubeObject, ResourceHandlers, ResourceRef } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";

const rbac = "rbac.authorization.k8s.io";
const group = "authorization.openshift.io";

interface View {
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const views: readonly View[] = [
  { kind: "Role", plural: "roles", namespaced: true },
  { kind: "RoleBinding", plural: "rolebindings", namespaced: true },
  { kind: "ClusterRole", plural: "clusterroles", namespaced: false },
  { kind: "ClusterRoleBinding", plural: "clusterrolebindings", namespaced: false },
];

/**
 * Resources of authorization.openshift.io. They present the RBAC roles and bindings in OpenShift's format. Watches are not
 * supported.
 */
export function roleViewResources(context: ApiContext): readonly AggregatedResource[] {
  return views.map((view) => ({
    group,
    version: "v1",
    ...view,
    pathNames: true,
    handlers: handlersOf(context, view, { group: rbac, version: "v1", resource: view.plural }),
  }));
}

function handlersOf({ client }: ApiContext, { kind }: View, ref: ResourceRef): ResourceHandlers {
  return {
    get: async ({ namespace, name }) => shown(await client.get(ref, { namespace, name })),
    list: async ({ namespace }) => {
      const { items, resourceVersion } = await client.list(ref, { namespace });
      return { items: items.map(shown), resourceVersion };
    },
    // Writes with the caller's permissions, so that RBAC escalation checks apply.
    create: async (call, object) => shown(await call.client.create(ref, stored(object, kind))),
    update: async (call, object) => shown(await call.client.update(ref, stored(object, kind))),
    delete: async (call) => {
      const { namespace, name } = call;
      await call.client.delete(ref, { namespace, name });
      return undefined;
    },
  };
}

/** Converts an RBAC object to OpenShift's format. Roles are object references. Subjects have a kind and a namespace. */
function shown(object: KubeObject): KubeObject {
  const view = { ...object, apiVersion: `${group}/v1`, kind: object.kind, metadata: object.metadata };
  if (!object.kind.endsWith("Binding")) return view;
  const subjects = listAt(object, "subjects").map((each) => objectAt(each));
  const names = (kind: string) =>
    subjects.filter((each) => each.kind === kind).map((each) => stringAt(each, "name") ?? "");
  const accounts = subjects
    .filter((each) => each.kind === "ServiceAccount")
    .map(
      (each) =>
        `system:serviceaccount:${stringAt(each, "namespace") ?? object.metadata.namespace}:${stringAt(each, "name")}`,
    );
  const local = stringAt(object, "roleRef", "kind") === "Role";
  return {
    ...view,
    roleRef: {
      name: stringAt(object, "roleRef", "name"),
      ...(local ? { namespace: object.metadata.namespace } : {}),
    },
    subjects: subjects.map(({ kind, name, namespace }) => ({
      kind,
      name,
      ...(namespace ? { namespace } : {}),
    })),
    userNames: [...names("User"), ...accounts],
    groupNames: names("Group"),
  };
}

function stored(object: KubeObject, kind: string): KubeObject {
  const { userNames: _users, groupNames: _groups, subjects, roleRef, ...rest } = object;
  const base = { ...rest, apiVersion: `${rbac}/v1`, kind, metadata: object.metadata };
  if (!kind.endsWith("Binding")) return base;
  return {
    ...base,
    roleRef: {
      apiGroup: rbac,
      kind: stringAt(roleRef, "namespace") ? "Role" : "ClusterRole",
      name: stringAt(roleRef, "name"),
    },
    subjects: (Array.isArray(subjects) ? subjects : []).map((each: unknown) => {
      const subject = objectAt(each);
      return subject.kind === "ServiceAccount" ? subject : { ...subject, apiGroup: rbac };
    }),
  };
}
