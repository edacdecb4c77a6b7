import { failures, type ResourceRef } from "@keelson/apimachinery";
import { AcceptedNames } from "./accepted-names.ts";
import { apiVersionOf, type ServedResource } from "./served-resource.ts";

/** The resources of one cluster: the built-in ones, and those its CustomResourceDefinitions declare. */
export class ResourceDirectory {
  /** What its definitions are called, also those that are not served. */
  readonly acceptedNames = new AcceptedNames();
  readonly #builtins: readonly ServedResource[];
  readonly #custom = new Map<string, readonly ServedResource[]>();
  /** Made when it is next read: definitions often come by the hundred. */
  #index: Index | undefined;
  #revision = 0;

  constructor(builtins: readonly ServedResource[]) {
    this.#builtins = builtins;
  }

  /** Grows with each change: equal means discovery and OpenAPI documents are still right. */
  get revision(): number {
    return this.#revision;
  }

  all(): readonly ServedResource[] {
    return this.#indexed().all;
  }

  find({ group, version, resource }: ResourceRef): ServedResource | undefined {
    return this.#indexed().byPath.get(`${group}/${version}/${resource}`);
  }

  /** @throws StatusError 404 */
  get(ref: ResourceRef): ServedResource {
    const found = this.find(ref);
    if (!found) throw failures.noSuchPath();
    return found;
  }

  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#indexed().byKind.get(`${apiVersion}/${kind}`);
  }

  /** The resource stored in a bucket, in the version it is stored with where that is served. */
  findBucket(bucket: string): ServedResource | undefined {
    return this.#indexed().byBucket.get(bucket);
  }

  /** Replaces what a definition declares; nothing withdraws it. */
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
    // The stored version comes last, and so wins.
    byBucket: new Map(
      all
        .toSorted((a, b) => Number(isStorageVersion(a)) - Number(isStorageVersion(b)))
        .map((each) => [each.bucket, each]),
    ),
    // Of several resources of one kind, that which is stored is meant.
    byKind: new Map(
      all
        .toSorted((a, b) => Number(!a.aggregated?.handlers) - Number(!b.aggregated?.handlers))
        .map((each) => [`${apiVersionOf(each.type)}/${each.type.kind}`, each]),
    ),
  };
}

/**
 * What a cluster's owner declares hides a definition of the same resource, and comes before all definitions: clients
 * take the first of several groups that have a resource of one name.
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
