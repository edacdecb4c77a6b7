import { convertBuiltin } from "../catalogue/convert.ts";
import { withDefaults } from "../custom/defaults.ts";
import { prune } from "../custom/prune.ts";
import { recordAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { asStored } from "./conform.ts";
import type { RegistryContext } from "./registry-context.ts";
import { apiVersionOf, type ServedResource } from "./served-resource.ts";

const presented = new WeakMap<ServedResource, WeakMap<StoredObject, StoredObject>>();

/**
 * A stored object as a version of its resource shows it: with that version's `apiVersion`, and for custom resources
 * pruned and defaulted by a schema that is newer than the object. Mostly that is what is stored.
 */
export function present(resource: ServedResource, stored: StoredObject): StoredObject {
  const { custom, storageApiVersion, type } = resource;
  const apiVersion = apiVersionOf(type);
  const current = !custom || stored.revision > custom.schemaRevision;
  if (current && apiVersion === storageApiVersion) return stored;
  const known = presentedOf(resource);
  const found = known.get(stored);
  if (found) return found;
  if (custom?.conversion && stored.object.apiVersion !== apiVersion) {
    throw failures.internal(
      undefined,
      `Internal error occurred: ${stored.key} is not converted to ${apiVersion}`,
    );
  }
  const object = current ? stored.object : conformed(resource, stored.object);
  const made = encodeObject(stored.key, stored.revision, convertBuiltin(object, apiVersion));
  known.set(stored, made);
  return made;
}

function presentedOf(resource: ServedResource): WeakMap<StoredObject, StoredObject> {
  const known = presented.get(resource) ?? new WeakMap<StoredObject, StoredObject>();
  presented.set(resource, known);
  return known;
}

/** Whether `present` can show an object at once: what a webhook converts has to be prepared first. */
export function isPresentable(resource: ServedResource, stored: StoredObject): boolean {
  return (
    !resource.custom?.conversion ||
    presentedOf(resource).has(stored) ||
    stored.object.apiVersion === apiVersionOf(resource.type)
  );
}

/**
 * Lets a webhook convert what `present` is to show; `undefined` when there is nothing to wait for.
 * @throws StatusError 500
 */
export function prepare(
  { converter }: RegistryContext,
  resource: ServedResource,
  stored: readonly StoredObject[],
): Promise<void> | undefined {
  const { custom, type } = resource;
  const conversion = custom?.conversion;
  if (!conversion) return undefined;
  const missing = stored.filter((each) => !isPresentable(resource, each));
  return missing.length === 0 ? undefined : convertAll();

  async function convertAll(): Promise<void> {
    if (!conversion) return;
    const apiVersion = apiVersionOf(type);
    const byVersion = Map.groupBy(missing, ({ object }) => object.apiVersion);
    for (const group of byVersion.values()) {
      const objects = await converter.convert(
        conversion,
        group.map(({ object }) => object),
        apiVersion,
      );
      for (const [at, each] of group.entries()) {
        const made = conformed(resource, objects[at] ?? each.object);
        presentedOf(resource).set(each, encodeObject(each.key, each.revision, made));
      }
    }
  }
}

/** An object of a resource's version as it is stored. @throws StatusError 500 when a webhook does not convert it */
export async function toStored(
  { converter }: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
): Promise<KubeObject> {
  const conversion = resource.custom?.conversion;
  const shown = { ...object, apiVersion: apiVersionOf(resource.type) };
  if (!conversion || shown.apiVersion === resource.storageApiVersion) return asStored(resource, object);
  const [converted] = await converter.convert(conversion, [shown], resource.storageApiVersion);
  return converted ?? shown;
}

/** Whether storing an object takes a webhook. */
export function needsConversion({ custom, storageApiVersion, type }: ServedResource): boolean {
  return custom?.conversion !== undefined && apiVersionOf(type) !== storageApiVersion;
}

function conformed({ custom }: ServedResource, object: KubeObject): KubeObject {
  if (!custom) return object;
  const value = recordAt(withDefaults(custom.schema, prune(custom.schema, object).value));
  return { ...value, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

/** How to show the objects of a list or a watch; `undefined` when all of them are shown as they are stored. */
export function presenter(resource: ServedResource): ((stored: StoredObject) => StoredObject) | undefined {
  const { custom, storageApiVersion, type } = resource;
  if (!custom && apiVersionOf(type) === storageApiVersion) return undefined;
  return (stored) => present(resource, stored);
}
