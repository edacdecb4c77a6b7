import type { AggregatedResource, KubeObject, ResourceCall } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { ensureObject } from "../../base/objects.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { namespaces, projectGroup, projectOf } from "./project.ts";

const rbac = "rbac.authorization.k8s.io";
const roleBindings = { group: rbac, version: "v1", resource: "rolebindings" };
const serviceAccounts = { group: "", version: "v1", resource: "serviceaccounts" };

/**
 * ProjectRequests create namespaces for users who may not create namespaces themselves. The requester becomes the project's
 * admin.
 */
export function projectRequestResource({ client }: ApiContext): AggregatedResource {
  return {
    group: projectGroup,
    version: "v1",
    kind: "ProjectRequest",
    plural: "projectrequests",
    namespaced: false,
    handlers: {
      create: async (call, request) => {
        const { name } = request.metadata;
        refusePlatformName(name);
        const namespace = namespaceOf(call, request);
        if (call.dryRun) return projectOf(namespace);
        const created = await client.create(namespaces, namespace).catch((error: unknown) => {
          if (!hasReason(error, "AlreadyExists")) throw error;
          throw failures.alreadyExists({ group: projectGroup, resource: "projects" }, name);
        });
        for (const account of ["builder", "deployer"]) {
          await ensureObject(client, serviceAccounts, {
            apiVersion: "v1",
            kind: "ServiceAccount",
            metadata: { namespace: name, name: account },
          });
        }
        for (const binding of bindingsOf(name, call.user.name))
          await ensureObject(client, roleBindings, binding);
        return projectOf(created);
      },
      // Clients send this list request to check that they may request projects. `oc` requires a Status object as response.
      list: async () => ({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" }),
    },
  };
}

const platformNames = ["openshift", "kubernetes", "kube"];

/**
 * Rejects platform namespace names because platform namespaces are exempt from SecurityContextConstraints. Source:
 * openshift/openshift-apiserver `pkg/project/apiserver/registry/projectrequest/delegated/delegated.go`.
 * @throws StatusError 403
 */
function refusePlatformName(name: string): void {
  const refuse = (why: string) =>
    failures.forbidden({ group: projectGroup, resource: "project" }, name, `cannot request a project ${why}`);
  for (const each of platformNames) {
    if (name === each) throw refuse(`with the name "${each}"`);
    if (name.startsWith(`${each}-`)) throw refuse(`starting with "${each}-"`);
  }
}

/**
 * Returns the namespace for a ProjectRequest. Omits the labels and annotations of the request because they could change the pod
 * security of the namespace.
 */
function namespaceOf({ user }: ResourceCall, request: KubeObject): KubeObject {
  const { name } = request.metadata;
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      annotations: {
        "openshift.io/description": stringAt(request, "description") ?? "",
        "openshift.io/display-name": stringAt(request, "displayName") ?? "",
        "openshift.io/requester": user.name,
      },
    },
  };
}

function bindingsOf(namespace: string, user: string): readonly KubeObject[] {
  const binding = (name: string, role: string, subject: object): KubeObject => ({
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: { namespace, name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: [subject],
  });
  return [
    binding("admin", "admin", { apiGroup: rbac, kind: "User", name: user }),
    binding("system:deployers", "system:deployer", { kind: "ServiceAccount", name: "deployer", namespace }),
    binding("system:image-builders", "system:image-builder", {
      kind: "ServiceAccount",
      name: "builder",
      namespace,
    }),
    binding("system:image-pullers", "system:image-puller", {
      apiGroup: rbac,
      kind: "Group",
      name: `system:serviceaccounts:${namespace}`,
    }),
  ];
}
