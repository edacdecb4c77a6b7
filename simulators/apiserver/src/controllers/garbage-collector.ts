import { ignoreGone, type KubeObject, type OwnerReference } from "@keelson/apimachinery";
import { modifyObject } from "../registry/modify.ts";
import { type PropagationPolicy, removeObject } from "../registry/remove.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import { keyOf } from "../resources/served-resource.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { reportInvalidOwner } from "./invalid-owner-event.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

/**
 * Queue key in the form `bucket key`. The bucket contains no spaces. The object key may contain spaces, for example in the name
 * of a role.
 */
type Place = string;

function placeOf(bucket: string, key: string): Place {
  return `${bucket} ${key}`;
}

function parsePlace(place: Place): { readonly bucket: string; readonly key: string } {
  const space = place.indexOf(" ");
  return { bucket: place.slice(0, space), key: place.slice(space + 1) };
}

/**
 * Deletes dependents after their owners and handles the finalizers `orphan` and `foregroundDeletion`. The collector indexes
 * dependents by the owner's uid.
 */
export class GarbageCollector implements StoreController {
  readonly name = "garbage-collector";
  readonly #context: RegistryContext;
  readonly #dependents = new Map<string, Set<Place>>();

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  /** Queues all objects that have owners or a finalizer of this controller. */
  resume(add: AddKey): void {
    const { store } = this.#context;
    for (const bucket of store.buckets()) {
      for (const stored of store.range(bucket, "")) {
        if (!mayConcern(stored)) continue;
        const place = placeOf(bucket, stored.key);
        this.#learn(place, [], ownersOf(stored));
        add(place);
      }
    }
  }

  observe({ bucket, previous, current, deleted }: StoreEvent, add: AddKey): void {
    if (!deleted && !mayConcern(current) && !(previous && mayConcern(previous))) return;
    const place = placeOf(bucket, current.key);
    const owners = ownersOf(current);
    this.#learn(place, ownersOf(previous), deleted ? [] : owners);
    if (!deleted) {
      if (owners.length > 0 || isHeld(current.object)) add(place);
      // A removed owner reference may unblock the owner's deletion, although the dependent remains.
      this.#addHeld(current.object, ownersOf(previous), add);
      return;
    }
    for (const dependent of this.#dependents.get(current.object.metadata.uid ?? "") ?? []) add(dependent);
    this.#addHeld(current.object, owners, add);
  }

  /** Queues owners that wait for the deletion of their dependents. */
  #addHeld(dependent: KubeObject, owners: readonly OwnerReference[], add: AddKey): void {
    for (const owner of owners) {
      const found = this.#find(dependent, owner);
      if (found && isHeld(found.stored.object)) add(found.place);
    }
  }

  #learn(place: Place, before: readonly OwnerReference[], after: readonly OwnerReference[]): void {
    for (const { uid } of before) {
      const places = this.#dependents.get(uid);
      places?.delete(place);
      if (places?.size === 0) this.#dependents.delete(uid);
    }
    for (const { uid } of after) {
      const places = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, places.add(place));
    }
  }

  async reconcile(place: Place): Promise<undefined> {
    const object = this.#get(place)?.object;
    if (!object) return;
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp && finalizers.includes("orphan")) await this.#orphan(place, object);
    else if (deletionTimestamp && finalizers.includes("foregroundDeletion"))
      await this.#foreground(place, object);
    else if (!deletionTimestamp) await this.#collect(place, object);
  }

  async #orphan(place: Place, owner: KubeObject): Promise<void> {
    const { uid = "" } = owner.metadata;
    for (const dependent of [...(this.#dependents.get(uid) ?? [])])
      await this.#disown(dependent, new Set([uid]));
    await this.#dropFinalizer(place, "orphan");
  }

  async #foreground(place: Place, owner: KubeObject): Promise<void> {
    const { uid = "" } = owner.metadata;
    for (const dependent of [...(this.#dependents.get(uid) ?? [])]) {
      const stored = this.#get(dependent);
      const isShared = ownersOf(stored).some((each) => each.uid !== uid && this.#keeps(stored, each));
      const has = this.#dependents.get(stored?.object.metadata.uid ?? "");
      if (isShared) await this.#disown(dependent, new Set([uid]));
      else await this.#delete(dependent, has ? "Foreground" : "Background");
    }
    const blocking = [...(this.#dependents.get(uid) ?? [])].some((dependent) =>
      ownersOf(this.#get(dependent)).some((each) => each.uid === uid && each.blockOwnerDeletion === true),
    );
    if (!blocking) await this.#dropFinalizer(place, "foregroundDeletion");
  }

  /** Deletes an object if all its owners are gone. If some owners remain, only removes the references to missing owners. */
  async #collect(place: Place, object: KubeObject): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    for (const owner of owners)
      if (this.#isElsewhere(object, owner)) await reportInvalidOwner(this.#context, object, owner);
    const gone = owners.filter((owner) => this.#isGone(object, owner));
    if (gone.length === 0) return;
    if (gone.length === owners.length) await this.#delete(place, policyOf(object));
    else await this.#disown(place, new Set(gone.map((owner) => owner.uid)));
  }

  /** True if the owner exists and its deletion is not waiting for its dependents. */
  #keeps(dependent: StoredObject | undefined, owner: OwnerReference): boolean {
    const found = dependent && this.#find(dependent.object, owner);
    if (!found || found.stored.object.metadata.uid !== owner.uid) return false;
    const { deletionTimestamp, finalizers = [] } = found.stored.object.metadata;
    return !deletionTimestamp || !finalizers.includes("foregroundDeletion");
  }

  /** True if the owner does not exist. If the API does not serve the owner's kind, the owner counts as existing. */
  #isGone(dependent: KubeObject, owner: OwnerReference): boolean {
    const resource = this.#context.directory.findKind(owner.apiVersion, owner.kind);
    if (!resource || (resource.type.namespaced && !dependent.metadata.namespace)) return false;
    return this.#find(dependent, owner)?.stored.object.metadata.uid !== owner.uid;
  }

  /** True if the owner and the dependent are in different namespaces. */
  #isElsewhere(dependent: KubeObject, owner: OwnerReference): boolean {
    const { directory, store } = this.#context;
    const resource = directory.findKind(owner.apiVersion, owner.kind);
    if (!resource?.type.namespaced) return false;
    const isOwner = (namespace: string | undefined) =>
      store.get(resource.bucket, keyOf(namespace, owner.name))?.object.metadata.uid === owner.uid;
    if (dependent.metadata.namespace && isOwner(dependent.metadata.namespace)) return false;
    // The lookup by name in each namespace avoids a scan of all objects of the owner's kind.
    return store.range("/namespaces", "").some(({ key }) => isOwner(key));
  }

  #find(dependent: KubeObject, owner: OwnerReference): { place: Place; stored: StoredObject } | undefined {
    const resource = this.#context.directory.findKind(owner.apiVersion, owner.kind);
    if (!resource) return undefined;
    const key = keyOf(resource.type.namespaced ? dependent.metadata.namespace : undefined, owner.name);
    const stored = this.#context.store.get(resource.bucket, key);
    return stored ? { place: placeOf(resource.bucket, key), stored } : undefined;
  }

  #get(place: Place): StoredObject | undefined {
    const { bucket, key } = parsePlace(place);
    return this.#context.store.get(bucket, key);
  }

  async #delete(place: Place, propagationPolicy: PropagationPolicy): Promise<void> {
    const { bucket, key } = parsePlace(place);
    const resource = this.#context.directory.findBucket(bucket);
    const uid = this.#get(place)?.object.metadata.uid;
    if (!resource || !uid) return;
    await removeObject(this.#context, resource, key, { propagationPolicy, preconditions: { uid } }).catch(
      ignoreGone,
    );
  }

  #disown(place: Place, uids: ReadonlySet<string>): Promise<void> {
    return this.#changeMetadata(place, ({ ownerReferences = [], ...metadata }) => ({
      ...metadata,
      ownerReferences: ownerReferences.filter((owner) => !uids.has(owner.uid)),
    }));
  }

  #dropFinalizer(place: Place, finalizer: string): Promise<void> {
    return this.#changeMetadata(place, ({ finalizers = [], ...metadata }) => ({
      ...metadata,
      finalizers: finalizers.filter((each) => each !== finalizer),
    }));
  }

  async #changeMetadata(
    place: Place,
    change: (metadata: KubeObject["metadata"]) => KubeObject["metadata"],
  ): Promise<void> {
    const { bucket, key } = parsePlace(place);
    const resource = this.#context.directory.findBucket(bucket);
    if (!resource) return;
    await modifyObject(this.#context, resource, key, "main", (current) => ({
      ...current,
      metadata: change(current.metadata),
    })).catch(ignoreGone);
  }
}

function ownersOf(stored: StoredObject | undefined): readonly OwnerReference[] {
  return stored?.object.metadata.ownerReferences ?? [];
}

function isHeld({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): boolean {
  return (
    deletionTimestamp !== undefined &&
    (finalizers.includes("orphan") || finalizers.includes("foregroundDeletion"))
  );
}

/** Returns the propagation policy of a deletion. The object's finalizers determine it. */
function policyOf({ metadata: { finalizers = [] } }: KubeObject): PropagationPolicy {
  if (finalizers.includes("orphan")) return "Orphan";
  return finalizers.includes("foregroundDeletion") ? "Foreground" : "Background";
}

/**
 * True if an object may have an owner or a finalizer of this controller. Searches the serialized bytes, so restarts and writes do
 * not parse every object.
 */
function mayConcern({ bytes }: StoredObject): boolean {
  return (
    bytes.includes('"ownerReferences"') ||
    bytes.includes('"foregroundDeletion"') ||
    bytes.includes('"orphan"')
  );
}
