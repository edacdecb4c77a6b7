import { createHash } from "node:crypto";

/** A physical partition: the hashes of partition keys from `min` up to, but without, `max`. */
export interface PartitionKeyRange {
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  /** IDs of the ranges that were split into this one. */
  readonly parents: readonly string[];
}

/** Upper limit of hashes. The two highest bits of the first byte are clear, as in the service. */
const hashSpace = 0x40;

/** Creates `count` ranges that cover all hashes. */
export function partitionKeyRanges(count: number): readonly PartitionKeyRange[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    minInclusive: index === 0 ? "" : bound((index * hashSpace) / count),
    maxExclusive: index === count - 1 ? "FF" : bound(((index + 1) * hashSpace) / count),
    parents: [],
  }));
}

/** Splits each range in two with new IDs from `nextId`. The old IDs are never reused. */
export function splitRanges(
  ranges: readonly PartitionKeyRange[],
  nextId: number,
): readonly PartitionKeyRange[] {
  return ranges.flatMap(({ id, minInclusive, maxExclusive, parents }, index) => {
    const least = Number.parseInt(minInclusive || "0", 16);
    const most = maxExclusive === "FF" ? hashSpace : Number.parseInt(maxExclusive, 16);
    const middle = bound((least + most) / 2);
    // The range is too narrow to be split.
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
 * Position of a logical partition. The service's hash function is different, but clients only send the key or
 * a range.
 */
export function hashOf(partitionKey: string): string {
  const digest = createHash("sha256").update(partitionKey).digest();
  digest.writeUInt8(digest.readUInt8(0) & (hashSpace - 1), 0);
  return digest.toString("hex", 0, 16).toUpperCase();
}

export function isWithin(hash: string, minInclusive: string, maxExclusive: string): boolean {
  return hash >= minInclusive && hash < maxExclusive;
}
