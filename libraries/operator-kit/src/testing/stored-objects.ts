import { isDeepStrictEqual } from "node:util";
import { mergePatch, stringAt } from "@keelson/base";
import {
  type JsonPatchStep,
  KubeError,
  type KubeList,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type Selection,
} from "@keelson/kube";

/**
 * Stores objects in memory with the optimistic concurrency of an API server. If a write has an outdated revision, it fails with a
 * conflict.
 */
export class StoredObjects {
  writes = 0;
  readonly #objects = new Map<string, KubeObject>();
  #revision = 0;

  async find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): Promise<T | undefined> {
    return this.#objects.get(nameOf(resource, key)) as T | undefined;
  }

  async get<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): Promise<T> {
    return this.#current(nameOf(resource, key), undefined) as T;
  }

  /** Returns an object synchronously, like an up-to-date cache. Undefined if the object does not exist. */
  peek<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined {
    return this.#objects.get(nameOf(resource, key)) as T | undefined;
  }

  peekAll<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[] {
    return [...this.#objects]
      .filter(([name]) => name.startsWith(`${resource.plural}/`))
      .map(([, object]) => object as T)
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }

  /** Returns the objects of a namespace, optionally filtered by one label `name=value`. */
  async list<T extends KubeObject>(
    resource: KubeResource<T>,
    { namespace, labelSelector = "" }: Selection,
  ): Promise<KubeList<T>> {
    const [label = "", value] = labelSelector.split("=");
    const items = this.peekAll(resource, namespace).filter(
      ({ metadata }) => label === "" || metadata.labels?.[label] === value,
    );
    return { items, resourceVersion: `${this.#revision}` };
  }

  async create<T extends KubeObject>(resource: KubeResource<T>, object: T): Promise<T> {
    const name = nameOf(resource, object.metadata);
    if (this.#objects.has(name)) throw conflict(`${name} is there already`);
    return this.#write(name, { ...object, metadata: { ...object.metadata, uid: `${this.#revision}` } });
  }

  async mergePatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<T> {
    const name = nameOf(resource, key);
    const present = this.#current(name, stringAt(patch, "metadata", "resourceVersion"));
    return this.#write(name, mergePatch(present, patch) as T);
  }

  /** Merges the object. It behaves like a server-side apply with a single field manager. */
  async apply<T extends KubeObject>(resource: KubeResource<T>, object: KubeObject): Promise<T> {
    const name = nameOf(resource, object.metadata);
    const present = this.#objects.get(name);
    const created = { ...object, metadata: { ...object.metadata, uid: `${this.#revision}` } };
    return this.#write(name, (present ? mergePatch(present, object) : created) as T);
  }

  /** Applies a JSON patch. Only `test`, `add` and `replace` steps are supported. */
  async jsonPatch<T extends KubeObject>(
    resource: KubeResource<T>,
    key: ObjectKey,
    steps: readonly JsonPatchStep[],
  ): Promise<T> {
    const name = nameOf(resource, key);
    const patched: unknown = structuredClone(this.#current(name, undefined));
    for (const { op, path, value } of steps) {
      const members = path.split("/").slice(1);
      const last = members.pop() ?? "";
      const parent = members.reduce((each: unknown, member) => memberOf(each, member), patched);
      if (op !== "test") Reflect.set(Object(parent), last, structuredClone(value));
      else if (!isDeepStrictEqual(memberOf(parent, last), value))
        throw new KubeError(422, "Invalid", "the server rejected our request due to an error in our request");
    }
    return this.#write(name, patched as T);
  }

  async delete(
    resource: KubeResource,
    key: ObjectKey,
    _signal?: AbortSignal,
    options: { readonly preconditions?: { readonly resourceVersion?: string } } = {},
  ): Promise<void> {
    const name = nameOf(resource, key);
    if (!this.#objects.has(name)) return;
    this.#current(name, options.preconditions?.resourceVersion);
    this.writes += 1;
    this.#objects.delete(name);
  }

  #current(name: string, revision: string | undefined): KubeObject {
    const present = this.#objects.get(name);
    if (!present) throw new KubeError(404, "NotFound", `${name} not found`);
    if (revision !== undefined && revision !== present.metadata.resourceVersion)
      throw conflict(`${name} has changed`);
    return present;
  }

  #write<T extends KubeObject>(name: string, object: T): T {
    this.#revision += 1;
    this.writes += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: `${this.#revision}` } };
    this.#objects.set(name, stored);
    return stored;
  }
}

function conflict(message: string): KubeError {
  return new KubeError(409, "Conflict", message);
}

function nameOf({ plural }: KubeResource, { namespace = "", name }: ObjectKey): string {
  return `${plural}/${namespace}/${name}`;
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;
}
