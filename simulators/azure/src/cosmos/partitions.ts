import { createHash } from "node:crypto";

/** Physical partition. Contains partition key hashes from `minInclusive` up to but excluding `maxExclusive`. */
export interface PartitionKeyRange {
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  /** IDs of the earlier ranges that were split to create this range. */
  readonly parents: readonly string[];
}

/** Exclusive upper limit of the first byte of a hash. As in Azure, the two highest bits of a hash are zero. */
const hashSpace = 0x40;

/** Creates `count` ranges that together cover all hashes. */
export function partitionKeyRanges(count: number): readonly PartitionKeyRange[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    minInclusive: index === 0 ? "" : bound((index * hashSpace) / count),
    maxExclusive: index === count - 1 ? "FF" : bound(((index + 1) * hashSpace) / count),
    parents: [],
  }));
}

/** Splits each range in two. IDs of new ranges start at `nextId`. IDs of split ranges are never reused. */
export function splitRanges(
  ranges: readonly PartitionKeyRange[],
  nextId: number,
): readonly PartitionKeyRange[] {
  return ranges.flatMap(({ id, minInclusive, maxExclusive, parents }, index) => {
    const least = Number.parseInt(minInclusive || "0", 16);
    const most = maxExclusive === "FF" ? hashSpace : Number.parseInt(maxExclusive, 16);
    const middle = bound((least + most) / 2);
    // A range that is too narrow to split remains unchanged.
    if (middle <= bound(least)) return [{ id, minInclusive, maxExclusive, parents }];
    const family = { parents: [...parents, id] };
    return [
      { id: String(nextId + 2 * index), minInclusive, maxExclusive: middle, ...family },
      { id: String(nextId + 2 * index + 1), minInclusive: middle, maxExclusive, ...family },
    ];
  });
}

function bound(hash: number): string {
  return Math.floor(hash).toString(16).toUpperCase().padStart(2, "0");
}

/**
 * Returns the hash of a partition key. Azure uses a different hash function. Clients do not notice the difference, because they
 * send only keys or ranges.
 */
export function hashOf(partitionKey: string): string {
  const digest = createHash("sha256").update(partitionKey).digest();
  digest.writeUInt8(digest.readUInt8(0) & (hashSpace - 1), 0);
  return digest.toString("hex", 0, 16).toUpperCase();
}

export function isWithin(hash: string, minInclusive: string, maxExclusive: string): boolean {
  return hash >= minInclusive && hash < maxExclusive;
}
