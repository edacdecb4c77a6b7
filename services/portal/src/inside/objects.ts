import { checkObjectAccess, isSecret } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import { isKubeNotFound, type KubeClient, type KubeResource, objectFields, resources } from "@keelson/kube";
import type { ClusterObject, CustomKinds, ObjectList } from "@keelson/portal-api";
import { portalErrors } from "../errors/portal-errors.ts";
import { redacted } from "./redact.ts";
import { namespaceOf } from "./visible-namespaces.ts";

const maxKinds = 1_000;
const maxObjects = 500;
/** Maximum length of an object's JSON in characters. */
const maxObject = 2 * 2 ** 20;

/** Query for objects in a cluster. */
export interface ObjectQuery {
  /** Kind in the form `kind` or `kind.group`. */
  readonly kind: string;
  /** Namespace. Empty if the query covers all namespaces or cluster-scoped objects. */
  readonly namespace: string;
  /** True if the person may read all namespaces. */
  readonly unrestricted: boolean;
  readonly isVisible: (namespace: string) => boolean;
}

/** Returns the kinds of custom resources, ordered by name. */
export async function readCustomKinds(kube: KubeClient, signal: AbortSignal): Promise<CustomKinds> {
  const fields = objectFields({
    spec: { group: true, scope: true, names: { kind: true }, versions: { name: true, served: true } },
  });
  const { items } = await kube.list(resources.customResourceDefinitions, { fields }, signal);
  const kinds = items.map((definition) => ({
    kind: stringAt(definition, "spec", "names", "kind") ?? "",
    group: stringAt(definition, "spec", "group") ?? "",
    version: servedVersion(definition),
    namespaced: stringAt(definition, "spec", "scope") === "Namespaced",
  }));
  kinds.sort((one, other) => (`${one.kind}.${one.group}` < `${other.kind}.${other.group}` ? -1 : 1));
  return { kinds: kinds.slice(0, maxKinds) };
}

function servedVersion(definition: unknown): string {
  const versions = listAt(definition, "spec", "versions");
  const served = versions.find((version) => valueAt(version, "served") === true);
  return stringAt(served, "name") ?? "";
}

/**
 * Returns the first objects of a kind.
 * @throws Forbidden, BadRequest, NotFound; KubeError
 */
export async function readObjects(
  kube: KubeClient,
  query: ObjectQuery,
  signal: AbortSignal,
): Promise<ObjectList> {
  const { namespace, unrestricted, isVisible } = query;
  const resource = await resourceOf(kube, query.kind, signal);
  // If the query covers all namespaces, the namespace is not checked here. The list is filtered below, so that only objects in
  // visible namespaces remain.
  const access = { verb: "read", resource, namespace, name: "" } as const;
  if (!(resource.namespaced && namespace === "")) check({ ...access, unrestricted });
  else if (isSecret(resource)) throw portalErrors.Forbidden("Secrets are not shown.");
  const fields = objectFields({ metadata: { creationTimestamp: true } });
  const place = namespace === "" ? {} : { namespace };
  const { items } = await kube.list(resource, { ...place, fields }, signal);
  const visible = items.filter((object) => !resource.namespaced || isVisible(namespaceOf(object)));
  const { kind, group, namespaced } = resource;
  return {
    kind,
    group,
    namespaced,
    total: visible.length,
    objects: visible.slice(0, maxObjects).map((object) => ({
      name: object.metadata.name,
      namespace: namespaceOf(object),
      createdAt: stringAt(object, "metadata", "creationTimestamp") ?? "",
    })),
  };
}

/** Returns one object. @throws Forbidden, BadRequest, NotFound, ClusterResponseTooLarge; KubeError */
export async function readObject(
  kube: KubeClient,
  { kind, namespace, unrestricted, name }: ObjectQuery & { readonly name: string },
  signal: AbortSignal,
): Promise<ClusterObject> {
  if (name === "") throw portalErrors.BadRequest("'name' is missing.");
  const resource = await resourceOf(kube, kind, signal);
  check({ verb: "read", resource, namespace, name, unrestricted });
  const key = namespace === "" ? { name } : { namespace, name };
  const object: unknown = await kube.get(resource, key, signal).catch((error: unknown) => {
    if (!isKubeNotFound(error)) throw error;
    throw portalErrors.NotFound(`The cluster has no ${resource.kind} of this name.`, { cause: error });
  });
  const shown = redacted(isPlainObject(object) ? object : {});
  if (JSON.stringify(shown).length > maxObject)
    throw portalErrors.ClusterResponseTooLarge("The object is larger than 2 MiB.");
  return { object: shown };
}

async function resourceOf(kube: KubeClient, kind: string, signal: AbortSignal): Promise<KubeResource> {
  if (!/^[a-z0-9.-]{1,253}$/i.test(kind)) throw portalErrors.BadRequest("'kind' is no name of a kind.");
  const resource = await kube.findResource(kind, signal);
  if (resource) return resource;
  throw portalErrors.NotFound(`The cluster serves no kind '${kind}'.`);
}

/** Checks an access with the same object rules as the admin API. @throws Forbidden, BadRequest */
function check(access: Parameters<typeof checkObjectAccess>[0]): void {
  try {
    checkObjectAccess(access);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { message } = error;
    throw error.status === 403 ? portalErrors.Forbidden(message) : portalErrors.BadRequest(message);
  }
}
