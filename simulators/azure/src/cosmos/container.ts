import { randomBytes, randomUUID } from "node:crypto";
import { type Clock, isPlainObject } from "@keelson/base";
import { type ContainerDefinition, checkedId } from "./definition.ts";
import { badRequest, conflict, notFound, preconditionFailed, tooLarge } from "./errors/cosmos-error.ts";
import { hashOf, isWithin, type PartitionKeyRange, partitionKeyRanges, splitRanges } from "./partitions.ts";
import { stepsInto } from "./query/evaluate.ts";

export type Item = Readonly<Record<string, unknown>>;

export interface StoredItem {
  /** Item including the fields that the service adds. */
  readonly item: Item;
  /** Partition key value as JSON. */
  readonly partitionKey: string;
  readonly id: string;
  readonly hash: string;
  readonly etag: string;
  /** Sequence number of the item's last write, among all writes in the container. */
  readonly sequence: number;
  /** Position of the item in the results of queries without ORDER BY. Updates of the item do not change its position. */
  readonly place: number;
}

export interface Conditions {
  readonly ifMatch?: string | undefined;
}

export interface WriteResult {
  readonly status: 200 | 201 | 204;
  readonly stored: StoredItem | undefined;
}

const maxItemBytes = 2 * 1024 * 1024;
const maxPartitionKeyBytes = 2_048;

/** Items of one container, in memory. Every call is atomic. */
export class Container {
  readonly rid: string;
  readonly #clock: Clock;
  readonly #items = new Map<string, StoredItem>();
  #sequence = 0;
  #definition: ContainerDefinition;
  #ranges: readonly PartitionKeyRange[];
  #nextRangeId: number;

  constructor(definition: ContainerDefinition, rid: string, physicalPartitions: number, clock: Clock) {
    this.#definition = definition;
    this.rid = rid;
    this.#ranges = partitionKeyRanges(physicalPartitions);
    this.#nextRangeId = physicalPartitions;
    this.#clock = clock;
  }

  get definition(): ContainerDefinition {
    return this.#definition;
  }

  get ranges(): readonly PartitionKeyRange[] {
    return this.#ranges;
  }

  split(): void {
    this.#ranges = splitRanges(this.#ranges, this.#nextRangeId);
    this.#nextRangeId += 2 * this.#ranges.length;
  }

  /** Replaces the container's definition. Only indexes and the time to live may differ from the previous definition. */
  redefine(definition: ContainerDefinition): void {
    const fixed = ({ id, partitionKeyMember, uniqueKeys }: ContainerDefinition) =>
      JSON.stringify([id, partitionKeyMember, uniqueKeys]);
    if (fixed(definition) !== fixed(this.#definition)) {
      throw badRequest("The id, partition key and unique keys of a container cannot be changed.");
    }
    this.#definition = definition;
  }

  /** Returns the sequence number of the newest write. */
  get sequence(): number {
    return this.#sequence;
  }

  find(partitionKey: string, id: string): StoredItem | undefined {
    const key = keyOf(partitionKey, id);
    const found = this.#items.get(key);
    if (!found || !this.#isExpired(found)) return found;
    this.#items.delete(key);
    return undefined;
  }

  get(partitionKey: string, id: string): StoredItem {
    const found = this.find(partitionKey, id);
    if (!found) throw notFound(`No item ${id} in this partition.`);
    return found;
  }

  rangeOf(partitionKey: string): PartitionKeyRange {
    const hash = hashOf(partitionKey);
    const found = this.ranges.find((each) => isWithin(hash, each.minInclusive, each.maxExclusive));
    if (!found) throw new RangeError(`no range has hash ${hash}`);
    return found;
  }

  /** Yields the items with partition key hashes from `minInclusive` up to but excluding the upper bound. */
  *itemsWithin(minInclusive: string, maxExclusive: string): Generator<StoredItem> {
    for (const each of this.#items.values()) {
      if (isWithin(each.hash, minInclusive, maxExclusive) && !this.#isExpired(each)) yield each;
    }
  }

  *itemsOf(partitionKey: string): Generator<StoredItem> {
    for (const each of this.#items.values()) {
      if (each.partitionKey === partitionKey && !this.#isExpired(each)) yield each;
    }
  }

  create(partitionKey: string, body: unknown): WriteResult {
    const item = this.#checked(partitionKey, body);
    if (this.find(partitionKey, item.id)) throw conflict();
    return { status: 201, stored: this.#put(partitionKey, item, undefined) };
  }

  upsert(partitionKey: string, body: unknown, conditions: Conditions): WriteResult {
    const item = this.#checked(partitionKey, body);
    const before = this.find(partitionKey, item.id);
    if (before) meet(before, conditions);
    return { status: before ? 200 : 201, stored: this.#put(partitionKey, item, before) };
  }

  replace(partitionKey: string, id: string, body: unknown, conditions: Conditions): WriteResult {
    const before = this.get(partitionKey, id);
    const item = this.#checked(partitionKey, body);
    if (item.id !== id) throw badRequest("The id of an item cannot be changed.");
    meet(before, conditions);
    return { status: 200, stored: this.#put(partitionKey, item, before) };
  }

  delete(partitionKey: string, id: string, conditions: Conditions): WriteResult {
    meet(this.get(partitionKey, id), conditions);
    this.#items.delete(keyOf(partitionKey, id));
    return { status: 204, stored: undefined };
  }

  /**
   * Applies `change` to each item of this container. Deletes the item if `change` returns undefined. See
   * `SimulatedCosmos.editItems`.
   */
  edit(change: (item: Item) => Item | undefined): void {
    for (const [key, before] of [...this.#items]) {
      const next = change(before.item);
      if (next === undefined) this.#items.delete(key);
      else if (next !== before.item) {
        const stored = this.#put(before.partitionKey, { ...next, id: before.id }, before);
        this.#items.set(key, { ...stored, item: { ...stored.item, _ts: next._ts } });
      }
    }
  }

  /** Runs `work` atomically on one logical partition. If `work` throws, all its changes are reverted. */
  atomically<T>(partitionKey: string, work: () => T): T {
    const before = [...this.itemsOf(partitionKey)];
    try {
      return work();
    } catch (error) {
      for (const { id } of [...this.itemsOf(partitionKey)]) this.#items.delete(keyOf(partitionKey, id));
      for (const each of before) this.#items.set(keyOf(partitionKey, each.id), each);
      throw error;
    }
  }

  #checked(partitionKey: string, body: unknown): Item & { readonly id: string } {
    if (!isPlainObject(body) || typeof body.id !== "string" || body.id === "") {
      throw badRequest("The input is not an item: it has no id.");
    }
    const own = body[this.definition.partitionKeyMember];
    if (JSON.stringify([own]) !== partitionKey) {
      throw badRequest(
        "PartitionKey extracted from document doesn't match the one specified in the header",
        1001,
      );
    }
    if (Buffer.byteLength(partitionKey) > maxPartitionKeyBytes + 4) {
      throw badRequest(`The partition key has more than ${maxPartitionKeyBytes} bytes.`);
    }
    if (Buffer.byteLength(JSON.stringify(body)) > maxItemBytes) {
      throw tooLarge("Request size is too large: an item has at most 2 MB.");
    }
    const { ttl } = body;
    if (ttl !== undefined && (!Number.isInteger(ttl) || ttl === 0 || Number(ttl) < -1)) {
      throw badRequest("The input ttl is invalid: it must be -1 or a positive whole number.");
    }
    return { ...body, id: checkedId(body.id) };
  }

  #put(
    partitionKey: string,
    item: Item & { readonly id: string },
    before: StoredItem | undefined,
  ): StoredItem {
    this.#refuseDuplicates(partitionKey, item);
    const etag = `"${randomUUID()}"`;
    const sequence = ++this.#sequence;
    const rid = typeof before?.item._rid === "string" ? before.item._rid : ridWithin(this.rid);
    const stored: StoredItem = {
      item: {
        ...item,
        _rid: rid,
        _self: `dbs/self/colls/${this.rid}/docs/${rid}/`,
        _etag: etag,
        _ts: this.#seconds(),
      },
      partitionKey,
      id: item.id,
      hash: hashOf(partitionKey),
      etag,
      sequence,
      place: before?.place ?? sequence,
    };
    this.#items.set(keyOf(partitionKey, item.id), stored);
    return stored;
  }

  #refuseDuplicates(partitionKey: string, item: Item & { readonly id: string }): void {
    for (const paths of this.definition.uniqueKeys) {
      const valuesOf = (each: Item) => JSON.stringify(paths.map((path) => stepsInto(each, path) ?? null));
      for (const other of this.itemsOf(partitionKey)) {
        if (other.id !== item.id && valuesOf(other.item) === valuesOf(item)) {
          throw conflict("Unique index constraint violation.");
        }
      }
    }
  }

  #isExpired({ item }: StoredItem): boolean {
    const { defaultTtl } = this.definition;
    const ttl = defaultTtl === undefined ? -1 : Number(item.ttl ?? defaultTtl);
    return ttl !== -1 && Number(item._ts) + ttl <= this.#seconds();
  }

  #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }
}

/** Creates a resource ID within a parent. The ID of an item starts with the 8 bytes of its container's ID. */
export function ridWithin(parent: string): string {
  return Buffer.concat([Buffer.from(parent, "base64"), randomBytes(8)])
    .toString("base64")
    .replaceAll("/", "-");
}

function keyOf(partitionKey: string, id: string): string {
  return JSON.stringify([partitionKey, id]);
}

function meet(stored: StoredItem, { ifMatch }: Conditions): void {
  if (ifMatch !== undefined && ifMatch !== "*" && ifMatch !== stored.etag) throw preconditionFailed();
}
