import {
  KubeError,
  type KubeList,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  type Selection,
} from "@keelson/kube";

/** Objects in memory, with the optimistic concurrency of an API server: a write that names an old revision is a conflict. */
export class StoredObjects {
  writes = 0;
  readonly #objects = new Map<string, KubeObject>();
  #revision = 0;

  async find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): Promise<T | undefined> {
    return this.#objects.get(nameOf(resource, key)) as T | undefined;
  }

  /** By namespace and by one label, `name=value`. */
  async list<T extends KubeObject>(
    resource: KubeResource<T>,
    { namespace, labelSelector = "" }: Selection,
  ): Promise<KubeList<T>> {
    const [label = "", value] = labelSelector.split("=");
    const items = [...this.#objects]
      .filter(([name]) => name.startsWith(`${resource.plural}/`))
      .map(([, object]) => object as T)
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      .filter(({ metadata }) => label === "" || metadata.labels?.[label] === value);
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
    const present = this.#current(name, textOf(patch.metadata, "resourceVersion"));
    return this.#write(name, merged(present, patch) as T);
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

function textOf(value: unknown, member: string): string | undefined {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;
  return typeof found === "string" ? found : undefined;
}

function merged(present: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const before = typeof present === "object" && present !== null && !Array.isArray(present) ? present : {};
  const members = Object.entries(patch).map(([name, value]) => [
    name,
    value === undefined ? Reflect.get(before, name) : merged(Reflect.get(before, name), value),
  ]);
  const all = { ...before, ...Object.fromEntries(members) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}
