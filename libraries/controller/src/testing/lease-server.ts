import { type KubeApi, KubeError, type KubeObject, type KubeResource, type ObjectKey } from "@keelson/kube";

/**
 * Minimal API server for Leases. It stores objects by name and assigns a new `resourceVersion` at each write. `fault` runs before
 * each request.
 */
export class LeaseServer {
  readonly #objects = new Map<string, KubeObject>();
  #revision = 0;

  api(fault: () => Promise<void> = async () => {}): Pick<KubeApi, "find" | "create" | "replace"> {
    const find = async <T extends KubeObject>(
      _: KubeResource<T>,
      { name }: ObjectKey,
    ): Promise<T | undefined> => {
      await fault();
      return this.#objects.get(name) as T | undefined;
    };
    const store = async <T extends KubeObject>(object: T, expected: string | undefined): Promise<T> => {
      await fault();
      const { name } = object.metadata;
      if (this.#objects.get(name)?.metadata.resourceVersion !== expected)
        throw new KubeError(409, "Conflict", `${name} has changed`);
      this.#revision += 1;
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: `${this.#revision}` } };
      this.#objects.set(name, stored);
      return stored;
    };
    return {
      find,
      create: (_, object) => store(object, undefined),
      replace: (_, object) => store(object, object.metadata.resourceVersion),
    };
  }

  get(name: string): KubeObject | undefined {
    return this.#objects.get(name);
  }
}
