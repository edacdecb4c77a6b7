import { failures, type KubeObject, sharedTurns } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { prune, type StructuralSchema, withoutStrayNulls } from "@keelson/schema";
import type { RegistryContext } from "../resources/registry-context.ts";
import { apiVersionOf, type ServedResource } from "../resources/served-resource.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { convertBuiltin } from "./convert-builtin.ts";
import { withDecodedDefaults } from "./decode-embedded.ts";

const presented = new WeakMap<ServedResource, WeakMap<StoredObject, StoredObject>>();

/**
 * Returns a stored object in the resource's version. A custom resource is pruned and defaulted with the version's schema. If
 * nothing changes, the stored object itself is returned.
 */
export function present(resource: ServedResource, stored: StoredObject): StoredObject {
  if (isShownAsStored(resource, stored)) return stored;
  const known = presentedOf(resource);
  const found = known.get(stored);
  if (found) return found;
  const apiVersion = apiVersionOf(resource.type);
  if (resource.custom?.conversion && stored.object.apiVersion !== apiVersion) {
    throw failures.internal(
      undefined,
      `Internal error occurred: ${stored.key} is not converted to ${apiVersion}`,
    );
  }
  const read = asRead(resource, stored);
  const object = converted(resource, read, apiVersion);
  const made = object === stored.object ? stored : encodeObject(stored.key, stored.revision, object);
  known.set(stored, made);
  return made;
}

function isShownAsStored({ custom, storageApiVersion, type }: ServedResource, stored: StoredObject): boolean {
  if (apiVersionOf(type) !== storageApiVersion) return false;
  return !custom || (stored.revision > custom.schemaRevision && !custom.completesOthers);
}

/** Returns a stored custom resource, pruned and defaulted with the schema of its stored version. */
function asRead(
  { custom, storageApiVersion }: ServedResource,
  { object, revision }: StoredObject,
): KubeObject {
  if (!custom) return object;
  const isCurrent = revision > custom.schemaRevision;
  if (isCurrent && !(custom.completesOthers && object.apiVersion === storageApiVersion)) return object;
  const schema = custom.schemas.get(object.apiVersion) ?? custom.schema;
  return withOwnMembers(object, withDecodedDefaults(schema, prune(schema, object).value));
}

/**
 * Converts an object to a different version of its kind. In custom resources, fields that this version does not have are removed.
 */
function converted({ custom }: ServedResource, object: KubeObject, apiVersion: string): KubeObject {
  if (!custom) return convertBuiltin(object, apiVersion);
  return object.apiVersion === apiVersion
    ? object
    : prunedBy(custom.schemas.get(apiVersion), { ...object, apiVersion });
}

function prunedBy(schema: StructuralSchema | undefined, object: KubeObject): KubeObject {
  return schema ? withOwnMembers(object, withoutStrayNulls(schema, prune(schema, object).value)) : object;
}

function withOwnMembers(object: KubeObject, value: unknown): KubeObject {
  if (value === object) return object;
  const { apiVersion, kind, metadata } = object;
  return { ...objectAt(value), apiVersion, kind, metadata };
}

function presentedOf(resource: ServedResource): WeakMap<StoredObject, StoredObject> {
  const known = presented.get(resource) ?? new WeakMap<StoredObject, StoredObject>();
  presented.set(resource, known);
  return known;
}

/**
 * True if `present` can return the object synchronously. Objects that need a conversion webhook must first be passed to
 * `prepare`.
 */
export function isPresentable(resource: ServedResource, stored: StoredObject): boolean {
  return (
    !resource.custom?.conversion ||
    presentedOf(resource).has(stored) ||
    stored.object.apiVersion === apiVersionOf(resource.type)
  );
}

/**
 * Converts objects with the conversion webhook, so that `present` can return them. Returns undefined if no conversion is needed.
 * @throws StatusError 500
 */
export function prepare(
  { converter, store }: RegistryContext,
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
    for (const group of [...byVersion.values()].flatMap(batchesOf)) {
      await sharedTurns.wait(store);
      const objects = await converter.convert(
        conversion,
        group.map((each) => asRead(resource, each)),
        apiVersion,
      );
      for (const [at, each] of group.entries()) {
        const made = prunedBy(custom.schema, objects[at] ?? each.object);
        presentedOf(resource).set(each, encodeObject(each.key, each.revision, made));
      }
    }
  }
}

/** Maximum number of objects and bytes in one conversion request. These limits also bound the size of the response. */
const [batchObjects, batchBytes] = [500, 1_048_576];

function batchesOf(stored: readonly StoredObject[]): readonly (readonly StoredObject[])[] {
  const batches: StoredObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const each of stored) {
    bytes += each.size;
    if (bytes > batchBytes || batches.at(-1)?.length === batchObjects) {
      batches.push([]);
      bytes = each.size;
    }
    batches.at(-1)?.push(each);
  }
  return batches;
}

/** Converts an object to its stored version. @throws StatusError 500 if the webhook fails */
export async function toStored(
  { converter }: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
): Promise<KubeObject> {
  const { custom, storageApiVersion } = resource;
  const shown = { ...object, apiVersion: apiVersionOf(resource.type) };
  if (!custom?.conversion || shown.apiVersion === storageApiVersion) return asStored(resource, object);
  const [stored] = await converter.convert(custom.conversion, [shown], storageApiVersion);
  return prunedBy(custom.schemas.get(storageApiVersion), stored ?? shown);
}

/** Converts an object to its stored version without a webhook. */
export function asStored(resource: ServedResource, object: KubeObject): KubeObject {
  return converted(resource, object, resource.storageApiVersion);
}

/** True if a webhook must convert objects before storage. */
export function needsConversion({ custom, storageApiVersion, type }: ServedResource): boolean {
  return custom?.conversion !== undefined && apiVersionOf(type) !== storageApiVersion;
}

/** Returns the function that converts stored objects for a list or watch. Undefined if no conversion is needed. */
export function presenter(resource: ServedResource): ((stored: StoredObject) => StoredObject) | undefined {
  const { custom, storageApiVersion, type } = resource;
  if (!custom && apiVersionOf(type) === storageApiVersion) return undefined;
  return (stored) => present(resource, stored);
}
