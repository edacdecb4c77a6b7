import { isPlainObject, type Logger, objectAt } from "@keelson/base";
import { type Cache, type Condition, changedConditions } from "@keelson/controller";
import {
  apiVersionOf,
  appliedConfiguration,
  differences,
  hasUnnamedMembers,
  hiddenDifferences,
  isAlreadyExists,
  isConflict,
  isKubeNotFound,
  type KubeApi,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type ObjectMeta,
  type ObjectWithAbsent,
  type OwnerReference,
} from "@keelson/kube";
import type { RepairLog } from "./repair-recorder.ts";
import { settledContents } from "./settled-contents.ts";

export type EnsureResult = "created" | "updated" | "unchanged";

/** Desired object. A `null` field must be absent. Fields that the object does not contain belong to other managers. */
export type WantedObject = { readonly metadata: WantedMeta } & Readonly<Record<string, unknown>>;

export interface WantedMeta extends Omit<ObjectMeta, "labels" | "annotations"> {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
}

export interface ManagedObjectsOptions {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly repairs: RepairLog;
  /** Controller name in Events and in the metric. */
  readonly controller: string;
  /** Field manager of applied fields, unique per controller, such as `aro-operator-banner`. */
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Reconciles the objects of one controller. An object that has all wanted fields is not written. Any other object is applied
 * server-side with the controller's field manager. Fields and owner references of other writers are kept. A list is compared as
 * one value, so entries that other writers added to a wanted list are removed. Changes by other writers inside atomic lists and
 * maps are also reverted. Every write emits one Event and increments the metric once.
 */
export class ManagedObjects {
  readonly #options: ManagedObjectsOptions;

  constructor(options: ManagedObjectsOptions) {
    this.#options = options;
  }

  /**
   * Returns the object from the cache. If no informer caches complete objects of the resource, the object is read from the
   * server.
   */
  async find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): Promise<T | undefined> {
    const { api, cache, signal } = this.#options;
    const known = cache.known(resource, key);
    // The cast is safe, because the resource determines the object type.
    return known ? (known.object as T | undefined) : api.find(resource, key, signal);
  }

  /**
   * Creates or updates the object. If `wanted` has an outdated `resourceVersion`, the request fails with a conflict.
   * @throws Error if the stored object lacks written fields, because a second writer or a webhook changed them
   */
  async ensure(resource: KubeResource, wanted: WantedObject): Promise<EnsureResult> {
    const { api, fieldManager, signal } = this.#options;
    const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...wanted };
    const live = await this.find(resource, object.metadata);
    const differing = live && (missing(live, object) ?? (await this.#hidden(resource, live, object)));
    if (live && !differing) return "unchanged";
    const operation = live ? "updated" : "created";
    const configuration = appliedConfiguration(object);
    const fields = live ? paths(differing).slice(0, maxFields) : [];
    await this.#recorded(operation, resource, live ?? configuration, fields, async () => {
      const options = { force: true, fieldManager };
      const applied = await api.apply(resource, configuration, signal, options);
      // An apply does not remove foreign entries of lists, or foreign fields that `wanted` sets to `null`. A patch removes both.
      const left = missing(applied, object);
      if (!left) {
        this.#settled.add(applied, object);
        return applied;
      }
      const patched = await api.mergePatch(resource, keyOf(object), left, signal);
      const kept = missing(patched, object);
      if (kept) throw new Error(`the API server does not keep ${paths(kept).join(", ")} as written`);
      return patched;
    });
    return operation;
  }

  /**
   * Creates an object with an immutable specification, such as a pod. Does not change an existing object, even if the cache does
   * not contain it yet.
   */
  async create(resource: KubeResource, wanted: WantedObject): Promise<"created" | "unchanged"> {
    const { api, signal } = this.#options;
    const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...wanted };
    if (await this.find(resource, object.metadata)) return "unchanged";
    const configuration = appliedConfiguration(object);
    try {
      await this.#recorded("created", resource, configuration, [], () =>
        api.create(resource, configuration, signal),
      );
      return "created";
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return "unchanged";
    }
  }

  /**
   * Merges `patch` into an object that a different component owns. If the object was changed after it was read, the write fails
   * with a conflict and the next attempt reads the object again. A deleted object is not recreated. Nothing is written if the
   * object already has the values.
   */
  async correct(
    resource: KubeResource,
    live: KubeObject,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<"updated" | "unchanged"> {
    const left = differences(live, patch);
    if (!left) return "unchanged";
    const { api, signal } = this.#options;
    const { resourceVersion } = live.metadata;
    const metadata = { ...objectAt(left.metadata), resourceVersion };
    const fields = paths(left).slice(0, maxFields);
    await this.#recorded("updated", resource, live, fields, () =>
      api.mergePatch(resource, keyOf(live), { ...left, metadata }, signal),
    );
    return "updated";
  }

  /**
   * Merges fields and conditions into the status of an existing object. Conditions of other types are kept. A status report is
   * not a repair and emits no Event.
   */
  async ensureStatus(
    resource: KubeResource,
    key: ObjectKey,
    conditions: readonly Condition[],
    members: Readonly<Record<string, unknown>>,
    now: Date,
  ): Promise<void> {
    const { api, signal } = this.#options;
    const live = (await this.find(resource, key)) ?? (await api.get(resource, key, signal));
    const changed = changedConditions(live, conditions, now);
    const status = { ...(changed ? { conditions: changed } : {}), ...members };
    const patch = differences(live, { status });
    if (!patch) return;
    const { resourceVersion } = live.metadata;
    await api.mergePatch(resource, key, { ...patch, metadata: { resourceVersion } }, signal, "status");
  }

  /** Deletes an object. Returns false if the object is already deleted or being deleted. */
  async remove(resource: KubeResource, key: ObjectKey): Promise<boolean> {
    const live = await this.find(resource, key).catch(absentKind);
    if (!live || live.metadata.deletionTimestamp !== undefined) return false;
    const { api, signal } = this.#options;
    const { uid } = live.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await this.#recorded("deleted", resource, live, [], async () => {
      await api.delete(resource, key, signal, preconditions);
      return live;
    });
    return true;
  }

  /** Returns the result of `hiddenDifferences`. Skips the call for content in which an earlier call found no differences. */
  async #hidden(
    resource: KubeResource,
    live: KubeObject,
    wanted: ObjectWithAbsent,
  ): Promise<Record<string, unknown> | undefined> {
    const { api, fieldManager, signal } = this.#options;
    if (!hasUnnamedMembers(live, wanted) || this.#settled.has(live, wanted)) return undefined;
    const found = await hiddenDifferences(api, resource, { live, wanted }, fieldManager, signal);
    if (!found) this.#settled.add(live, wanted);
    return found;
  }

  get #settled() {
    return settledContents(this.#options.cache, this.#options.fieldManager);
  }

  async #recorded(
    operation: "created" | "updated" | "deleted",
    resource: KubeResource,
    about: KubeObject,
    fields: readonly string[],
    write: () => Promise<KubeObject>,
  ): Promise<void> {
    const { repairs, controller, logger, signal } = this.#options;
    const repair = { controller, operation, resource, fields };
    try {
      const written = await write();
      const { name, namespace } = written.metadata;
      logger.info({ operation, kind: resource.kind, namespace, name, fields }, "repaired an object");
      repairs.succeeded(repair, written);
    } catch (error) {
      // A conflict is not counted as a failure, because the next attempt reads the changed object. An abort is not counted
      // either.
      if (!isConflict(error) && !signal.aborted) repairs.failed(repair, about, error);
      throw error;
    }
  }
}

/**
 * Returns undefined for the error that the server does not serve a kind, because such a kind has no objects. Rethrows all other
 * errors.
 */
function absentKind(error: unknown): undefined {
  if (!isKubeNotFound(error)) throw error;
}

/**
 * Returns the merge patch for the missing fields of `live`. Owners are compared by UID, and foreign owners are kept.
 * `resourceVersion` is only a precondition and is not compared.
 */
function missing(live: KubeObject, wanted: WantedObject): Record<string, unknown> | undefined {
  const { ownerReferences, resourceVersion: _, ...metadata } = wanted.metadata;
  const patch = differences(live, { ...wanted, metadata });
  const owners = live.metadata.ownerReferences ?? [];
  const added = (ownerReferences ?? []).filter(
    (wanted) => !owners.some((owner) => isSameOwner(owner, wanted)),
  );
  if (added.length === 0) return patch;
  const others = owners.filter(({ uid }) => !added.some((wanted) => wanted.uid === uid));
  const inner = isPlainObject(patch?.metadata) ? patch.metadata : {};
  return { ...patch, metadata: { ...inner, ownerReferences: [...others, ...added] } };
}

function isSameOwner(owner: OwnerReference, wanted: OwnerReference): boolean {
  return owner.uid === wanted.uid && (owner.controller ?? false) === (wanted.controller ?? false);
}

const maxFields = 10;

/** Returns the paths of a patch's leaf fields. Their values may be secret and are omitted. */
function paths(patch: unknown, path = ""): readonly string[] {
  if (!isPlainObject(patch)) return [path];
  return Object.entries(patch).flatMap(([name, value]) =>
    paths(value, path === "" ? name : `${path}.${name}`),
  );
}

function keyOf({ metadata: { name, namespace } }: WantedObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}
