import { inCreationOrder, keeping, type Manifest, singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { controllerReference, named, type Watch, watchFor } from "@keelson/controller";
import { type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import type { ManagedObjects } from "@keelson/operator-kit";
import type { Permission } from "./aro-controller.ts";
import type { Request } from "./operator-context.ts";

/** Identity of an object in a bundle. */
export interface BundleMember {
  readonly resource: KubeResource;
  readonly object: { readonly metadata: ObjectKey };
}

/**
 * Watches each object by name. The operator's permissions for these names are cluster-wide, because the namespace may not exist
 * yet.
 */
export function bundleWatches(bundle: readonly BundleMember[]): readonly Watch<unknown>[] {
  return bundle.map(({ resource, object: { metadata } }) => {
    const { name, namespace } = metadata;
    const fieldSelector = `metadata.name=${name}`;
    const selection = namespace === undefined ? { fieldSelector } : { namespace, fieldSelector };
    return watchFor(resource, singleton, { selection, where: named(name) });
  });
}

/** Kinds that grant permissions. The operator needs the verbs `escalate` and `bind` to grant permissions that it lacks. */
const granting: readonly KubeResource[] = [resources.roles, resources.clusterRoles];

/** Returns the permissions to apply and remove the bundle. Each kind is limited to the names of its objects. */
export function bundlePermissions(bundle: readonly BundleMember[]): readonly Permission[] {
  const kinds = Map.groupBy(bundle, ({ resource }) => resource);
  return [...kinds].map(([resource, members]) => ({
    apiGroups: [resource.group],
    resources: [resource.plural],
    resourceNames: [...new Set(members.map(({ object }) => object.metadata.name))],
    verbs: granting.includes(resource) ? [...keeping, "escalate", "bind"] : keeping,
  }));
}

/**
 * Applies all objects of a bundle in order. The Cluster owns them. A failed object does not block the next one.
 * @throws Error that names every failed object
 */
export async function applyBundle(
  { cluster, objects }: Pick<Request, "cluster" | "objects">,
  bundle: readonly Manifest[],
): Promise<void> {
  const ownerReferences = [controllerReference(cluster)];
  const failures = await failuresOf(inCreationOrder(bundle), async ({ resource, object }) => {
    await objects.ensure(resource, { ...object, metadata: { ...object.metadata, ownerReferences } });
  });
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

/**
 * Deletes all objects of a bundle. Namespaces are deleted last, after all remaining objects are gone.
 * @throws Error that names every object that could not be deleted
 */
export async function removeBundle(objects: ManagedObjects, bundle: readonly BundleMember[]): Promise<void> {
  const isNamespace = ({ resource }: BundleMember) => resource === resources.namespaces;
  const remove = async ({ resource, object: { metadata } }: BundleMember) => {
    const { name, namespace } = metadata;
    await objects.remove(resource, namespace === undefined ? { name } : { namespace, name });
  };
  for (const part of [bundle.filter((each) => !isNamespace(each)), bundle.filter(isNamespace)]) {
    const failures = await failuresOf(part, remove);
    if (failures.length > 0) throw new Error(`error removing resource:\n${failures.join("\n")}`);
  }
}

async function failuresOf<T extends BundleMember>(
  bundle: readonly T[],
  act: (member: T) => Promise<void>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const member of bundle)
    await act(member).catch((error) => {
      const { name } = member.object.metadata;
      failures.push(`${member.resource.kind} ${name}: ${messageOf(error)}`);
    });
  return failures;
}
