import { type KubeApi, KubeError, type KubeResource } from "@keelson/kube";
import type { Permission } from "../runtime/aro-controller.ts";

interface Access {
  readonly verb: string;
  readonly resource: KubeResource;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Returns an API that rejects requests without a declared permission, as a server with RBAC does. */
export function permittedApi(api: KubeApi, permissions: readonly Permission[]): KubeApi {
  const isAllowed = (access: Access) => permissions.some((permission) => allows(permission, access));
  const check = (access: Access) => {
    if (!isAllowed(access)) throw forbidden(access);
  };
  return {
    async get(resource, key, signal) {
      check({ verb: "get", resource, ...key });
      return api.get(resource, key, signal);
    },
    async find(resource, key, signal) {
      check({ verb: "get", resource, ...key });
      return api.find(resource, key, signal);
    },
    async list(resource, selection, signal) {
      check({ verb: "list", resource, namespace: selection.namespace, name: selectedName(selection) });
      return api.list(resource, selection, signal);
    },
    watch(resource, options, signal) {
      check({ verb: "watch", resource, namespace: options.namespace, name: selectedName(options) });
      return api.watch(resource, options, signal);
    },
    async create(resource, object, signal) {
      check({ verb: "create", resource, namespace: object.metadata.namespace });
      return api.create(resource, object, signal);
    },
    async replace(resource, object, signal) {
      const { namespace, name } = object.metadata;
      check({ verb: "update", resource, namespace, name });
      return api.replace(resource, object, signal);
    },
    async replaceStatus(resource, object, signal) {
      const { namespace, name } = object.metadata;
      check({ verb: "update", resource, namespace, name, subresource: "status" });
      return api.replaceStatus(resource, object, signal);
    },
    async mergePatch(resource, key, patch, signal, subresource) {
      check({ verb: "patch", resource, ...key, subresource });
      return api.mergePatch(resource, key, patch, signal, subresource);
    },
    async jsonPatch(resource, key, steps, signal, subresource) {
      check({ verb: "patch", resource, ...key, subresource });
      return api.jsonPatch(resource, key, steps, signal, subresource);
    },
    async apply(resource, object, signal, options) {
      const { namespace, name } = object.metadata;
      const { subresource } = options ?? {};
      check({ verb: "patch", resource, namespace, name, subresource });
      const creation = { verb: "create", resource, namespace, name };
      if (!isAllowed(creation) && !(await api.find(resource, object.metadata, signal)))
        throw forbidden(creation);
      return api.apply(resource, object, signal, options);
    },
    async dryRunApply(resource, object, signal, options) {
      const { namespace, name } = object.metadata;
      check({ verb: "patch", resource, namespace, name, subresource: options?.subresource });
      return api.dryRunApply(resource, object, signal, options);
    },
    async delete(resource, key, signal, options) {
      check({ verb: "delete", resource, ...key });
      return api.delete(resource, key, signal, options);
    },
  };
}

/**
 * True if RBAC allows the request with this permission. A rule with resource names allows creation only through an apply, and
 * listing only with a selector for one of the names.
 */
function allows(permission: Permission, { verb, resource, subresource, namespace, name }: Access): boolean {
  const plural = subresource ? `${resource.plural}/${subresource}` : resource.plural;
  return (
    (permission.namespace === undefined || permission.namespace === namespace) &&
    has(permission.apiGroups, resource.group) &&
    has(permission.resources, plural) &&
    has(permission.verbs, verb) &&
    (permission.resourceNames === undefined ||
      (name !== undefined && permission.resourceNames.includes(name)))
  );
}

function has(allowed: readonly string[] | undefined, wanted: string): boolean {
  return allowed?.some((each) => each === "*" || each === wanted) === true;
}

function selectedName({ fieldSelector }: { readonly fieldSelector?: string }): string | undefined {
  return /^metadata\.name=([^,]+)$/.exec(fieldSelector ?? "")?.[1];
}

function forbidden({ verb, resource, subresource, namespace, name }: Access): KubeError {
  const what = [resource.plural, subresource].filter(Boolean).join("/");
  const where = namespace === undefined ? "in all namespaces" : `in namespace ${namespace}`;
  return new KubeError(
    403,
    "Forbidden",
    `no controller's permissions let it ${verb} ${what} of group "${resource.group}"${name ? ` named ${name}` : ""} ${where}`,
  );
}
