import { failures, type ResourceRef } from "@keelson/apimachinery";
import { AcceptedNames } from "./accepted-names.ts";
import { apiVersionOf, type ServedResource } from "./served-resource.ts";

/** Resources of one cluster: the built-in resources and the resources of its CustomResourceDefinitions. */
export class ResourceDirectory {
  /** Names of the cluster's definitions, including definitions that are not served. */
  readonly acceptedNames = new AcceptedNames();
  readonly #builtins: readonly ServedResource[];
  readonly #custom = new Map<string, readonly ServedResource[]>();
  /** The index is rebuilt on the next read, not on each change, because many definitions are often declared together. */
  #index: Index | undefined;
  #revision = 0;

  constructor(builtins: readonly ServedResource[]) {
    this.#builtins = builtins;
  }

  /** Increases with each change. If the revision is unchanged, discovery and OpenAPI documents are still valid. */
  get revision(): number {
    return this.#revision;
  }

  all(): readonly ServedResource[] {
    return this.#indexed().all;
  }

  find({ group, version, resource }: ResourceRef): ServedResource | undefined {
    return this.#indexed().byPath.get(`${group}/${version}/${resource}`);
  }

  /**
   * Returns a served resource.
   * @throws StatusError 404
   */
  get(ref: ResourceRef): ServedResource {
    const found = this.find(ref);
    if (!found) throw failures.noSuchPath();
    return found;
  }

  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#indexed().byKind.get(`${apiVersion}/${kind}`);
  }

  /**
   * Returns the resource that is stored in a bucket, preferably in its storage version. Undefined if no resource is stored in the
   * bucket.
   */
  findBucket(bucket: string): ServedResource | undefined {
    return this.#indexed().byBucket.get(bucket);
  }

  /** Replaces the resources of a definition. An empty list removes them. */
  declare(definition: string, resources: readonly ServedResource[]): void {
    if (resources.length === 0) this.#custom.delete(definition);
    else this.#custom.set(definition, resources);
    this.#revision++;
    this.#index = undefined;
  }

  #indexed(): Index {
    this.#index ??= indexOf([...this.#builtins, ...withDeclaredFirst([...this.#custom.values()].flat())]);
    return this.#index;
  }
}

interface Index {
  readonly all: readonly ServedResource[];
  readonly byPath: ReadonlyMap<string, ServedResource>;
  readonly byKind: ReadonlyMap<string, ServedResource>;
  readonly byBucket: ReadonlyMap<string, ServedResource>;
}

function indexOf(all: readonly ServedResource[]): Index {
  return {
    all,
    byPath: new Map(all.map((each) => [`${apiVersionPath(each)}/${each.type.plural}`, each])),
    // The storage version is last in the list, so it overrides the other versions.
    byBucket: new Map(
      all
        .toSorted((a, b) => Number(isStorageVersion(a)) - Number(isStorageVersion(b)))
        .map((each) => [each.bucket, each]),
    ),
    // If several resources have the same kind, a stored resource takes precedence over a resource with handlers.
    byKind: new Map(
      all
        .toSorted((a, b) => Number(!a.aggregated?.handlers) - Number(!b.aggregated?.handlers))
        .map((each) => [`${apiVersionOf(each.type)}/${each.type.kind}`, each]),
    ),
  };
}

/**
 * Sorts aggregated resources before all other resources, because clients use the first group that has the requested resource
 * name. Omits custom resources that an aggregated resource replaces.
 */
function withDeclaredFirst(resources: readonly ServedResource[]): readonly ServedResource[] {
  const [declared, others] = [true, false].map((wanted) =>
    resources.filter((each) => (each.aggregated !== undefined) === wanted),
  );
  if (!declared || !others || declared.length === 0) return resources;
  const hidden = new Set(declared.map(({ bucket }) => bucket));
  return [...declared, ...others.filter(({ bucket }) => !hidden.has(bucket))];
}

function apiVersionPath({ type }: ServedResource): string {
  return `${type.group}/${type.version}`;
}

function isStorageVersion({ type, storageApiVersion }: ServedResource): boolean {
  return apiVersionOf(type) === storageApiVersion;
}
