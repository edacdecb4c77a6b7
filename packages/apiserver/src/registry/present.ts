import { convertBuiltin } from "../catalogue/convert.ts";
import { withDefaults } from "../custom/defaults.ts";
import { prune } from "../custom/prune.ts";
import { recordAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
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
  const known = presented.get(resource) ?? new WeakMap<StoredObject, StoredObject>();
  presented.set(resource, known);
  const found = known.get(stored);
  if (found) return found;
  const object = current ? stored.object : conformed(resource, stored.object);
  const made = encodeObject(stored.key, stored.revision, convertBuiltin(object, apiVersion));
  known.set(stored, made);
  return made;
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
