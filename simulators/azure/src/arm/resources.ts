import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { Store, Table } from "../store/store.ts";
import { groupIdOf, keyOf, parentId, parseResourceId, sameId } from "./arm-path.ts";
import { referencesOf } from "./references.ts";
import type { Registry } from "./registry.ts";
import type { Reference, ResourceRecord } from "./resource.ts";

/** Resource or array element found by ID. */
export interface Found {
  readonly record: ResourceRecord;
  readonly element: JsonObject | undefined;
}

/** Store of all resources, indexed by collection, group, lookup value and reference target. */
export class Resources {
  readonly #table: Table<ResourceRecord>;
  readonly #registry: Registry<never>;
  readonly #collections = new Map<string, Set<string>>();
  readonly #groups = new Map<string, Set<string>>();
  readonly #types = new Map<string, Set<string>>();
  /** Resource IDs by type and lookup value. */
  readonly #values = new Map<string, Set<string>>();
  readonly #referrers = new Map<string, Map<string, Reference>>();

  constructor(store: Store, registry: Registry<never>) {
    this.#table = store.table("resource");
    this.#registry = registry;
    store.index<ResourceRecord>("resource", (before, after) => {
      if (before) this.#unindex(before);
      if (after) this.#index(after);
    });
  }

  find(id: string): ResourceRecord | undefined {
    return this.#table.get(keyOf(id));
  }

  put(record: ResourceRecord): void {
    this.#table.set(keyOf(record.id), record);
  }

  remove(record: ResourceRecord): void {
    this.#table.delete(keyOf(record.id));
  }

  /** Returns the resource or array element with this ID. */
  resolve(id: string): Found | undefined {
    const record = this.find(id);
    if (record) return { record, element: undefined };
    const path = parseResourceId(id);
    const property = path?.types.at(-1);
    if (!path || path.types.length < 2 || property === undefined) return undefined;
    const holder = this.find(parentId(id));
    const element =
      holder && elementsOf(holder, property).find((each) => sameId(nonEmptyStringAt(each, "id") ?? "", id));
    return holder && element ? { record: holder, element } : undefined;
  }

  /** Returns the resources of a collection. Their IDs consist of `collectionId` and a name. */
  inCollection(collectionId: string): readonly ResourceRecord[] {
    return this.#records(this.#collections.get(keyOf(collectionId)));
  }

  inGroup(groupId: string): readonly ResourceRecord[] {
    return this.#records(this.#groups.get(keyOf(groupId)));
  }

  all(): readonly ResourceRecord[] {
    return [...this.#table.values()];
  }

  ofType(type: string): readonly ResourceRecord[] {
    return this.#records(this.#types.get(type.toLowerCase()));
  }

  /** Returns the resources of a type that have `value` as lookup property or global name. Case-insensitive. */
  lookedUp(type: string, value: string): readonly ResourceRecord[] {
    return this.#records(this.#values.get(valueKey(type, value)));
  }

  /** Returns the children and extensions of a resource at any depth. */
  below(record: ResourceRecord): readonly ResourceRecord[] {
    const prefix = `${keyOf(record.id)}/`;
    return this.inGroup(groupIdOf(record.id) ?? "").filter((each) => keyOf(each.id).startsWith(prefix));
  }

  referrers(id: string): readonly Reference[] {
    return [...(this.#referrers.get(keyOf(id))?.values() ?? [])];
  }

  /** Returns the IDs of all array elements of a resource. */
  elementIds(record: ResourceRecord): readonly string[] {
    return Object.keys(this.#registry.typeOf(record).elements ?? {})
      .flatMap((property) => objectsAt(record.body, "properties", property))
      .flatMap((each) => nonEmptyStringAt(each, "id") ?? []);
  }

  #records(keys: ReadonlySet<string> | undefined): readonly ResourceRecord[] {
    return [...(keys ?? [])].flatMap((key) => this.#table.get(key) ?? []);
  }

  #index(record: ResourceRecord): void {
    const key = keyOf(record.id);
    for (const [index, at] of this.#placesOf(record)) index.set(at, (index.get(at) ?? new Set()).add(key));
    for (const reference of referencesOf(this.#registry.typeOf(record), record)) {
      const target = keyOf(reference.target);
      const referrers = this.#referrers.get(target) ?? new Map<string, Reference>();
      this.#referrers.set(target, referrers.set(keyOf(reference.from), reference));
    }
  }

  #unindex(record: ResourceRecord): void {
    const key = keyOf(record.id);
    for (const [index, at] of this.#placesOf(record)) {
      const keys = index.get(at);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(at);
    }
    for (const reference of referencesOf(this.#registry.typeOf(record), record)) {
      const target = keyOf(reference.target);
      const referrers = this.#referrers.get(target);
      referrers?.delete(keyOf(reference.from));
      if (referrers?.size === 0) this.#referrers.delete(target);
    }
  }

  #placesOf(record: ResourceRecord): readonly (readonly [Map<string, Set<string>>, string])[] {
    const key = keyOf(record.id);
    const { lookup, globalName } = this.#registry.typeOf(record);
    const value = lookup
      ? nonEmptyStringAt(record.body, "properties", lookup)
      : globalName
        ? record.name
        : undefined;
    return [
      ...(value === undefined ? [] : [[this.#values, valueKey(record.type, value)] as const]),
      [this.#collections, key.slice(0, key.lastIndexOf("/"))],
      [this.#groups, groupIdOf(key) ?? ""],
      [this.#types, record.type.toLowerCase()],
    ];
  }
}

function valueKey(type: string, value: string): string {
  return `${type}\n${value}`.toLowerCase();
}

/**
 * Returns the elements of an array in `properties`. The array's name is case-insensitive, because it may come from a request
 * path.
 */
export function elementsOf(record: ResourceRecord, property: string): readonly JsonObject[] {
  const properties = Object.keys(
    typeof record.body.properties === "object" && record.body.properties !== null
      ? record.body.properties
      : {},
  );
  const name = properties.find((each) => each.toLowerCase() === property.toLowerCase());
  return name === undefined ? [] : objectsAt(record.body, "properties", name);
}

/** Returns the IDs of the referencing resources as one string for error messages. */
export function referrerIds(by: readonly Reference[]): string {
  return by.map((reference) => reference.from).join(", ");
}
