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

/** An object as it should be. A member that is `null` should be absent; members that it does not name are others' own. */
export type WantedObject = { readonly metadata: WantedMeta } & Readonly<Record<string, unknown>>;

export interface WantedMeta extends Omit<ObjectMeta, "labels" | "annotations"> {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
}

export interface ManagedObjectsOptions {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly repairs: RepairLog;
  /** As Events and the metric name it. */
  readonly controller: string;
  /** Of the members that are applied: one of each controller, such as `aro-operator-banner`. */
  readonly fieldManager: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Keeps objects as a controller wants them. An object that has every wanted member is not written; otherwise it is
 * applied (server-side, as the controller's own field manager), so that members and owners of others stay. Lists count
 * as a whole: entries that others added to a wanted list go, and so does what they changed within lists and maps that the
 * server treats as one value. Every write is one Event and one count of the metric.
 */
export class ManagedObjects {
  readonly #options: ManagedObjectsOptions;

  constructor(options: ManagedObjectsOptions) {
    this.#options = options;
  }

  /** The object as the cache knows it; where no informer keeps it whole, as the server has it. */
  async find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): Promise<T | undefined> {
    const { api, cache, signal } = this.#options;
    const known = cache.known(resource, key);
    // A resource says the type of its objects.
    return known ? (known.object as T | undefined) : api.find(resource, key, signal);
  }

  /**
   * With a `resourceVersion` it is a conflict when the object has changed since.
   * @throws Error when the server does not keep what was written: another writer or a webhook changes it
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
      // What others own does not leave by applying without it: entries of lists, members that should be absent.
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
   * For kinds whose specification is immutable, such as pods: an object of that name stays as it is, one that the cache
   * does not show yet included.
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
   * Merges `patch` into an object that others own, as it was read: one that has changed since is a conflict, which the
   * next attempt reads again; one that is gone is not made. Writes nothing when nothing differs.
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
   * Merges members and conditions into the status of an object that is there; conditions of other types stay. What a
   * controller reports is no repair: no Event.
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

  /** An object that is gone is no failure. False when there was nothing to delete. */
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

  /** As `hiddenDifferences`; the server is asked once about each content of an object. */
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
      // Another writer was first: the next attempt sees what it wrote. And the end of the process is no failure.
      if (!isConflict(error) && !signal.aborted) repairs.failed(repair, about, error);
      throw error;
    }
  }
}

/** A kind that is not served has no objects. */
function absentKind(error: unknown): undefined {
  if (!isKubeNotFound(error)) throw error;
}

/**
 * The merge patch for what `live` lacks. Owners are compared by UID: those of others stay. A `resourceVersion` is no
 * wish, but what the object was read as.
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

/** The paths of a patch's leaves. Never their values, which may be secret. */
function paths(patch: unknown, path = ""): readonly string[] {
  if (!isPlainObject(patch)) return [path];
  return Object.entries(patch).flatMap(([name, value]) =>
    paths(value, path === "" ? name : `${path}.${name}`),
  );
}

function keyOf({ metadata: { name, namespace } }: WantedObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}
