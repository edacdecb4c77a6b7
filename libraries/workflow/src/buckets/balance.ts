/** Number of buckets. Documents are assigned to a bucket when they are created. */
export const bucketCount = 256;

/**
 * Distributes buckets evenly among the workers. A live worker loses buckets only if it has more than its share. The exit of a
 * worker therefore moves only the buckets of that worker. `current` contains the owner of each bucket, and may have fewer entries
 * than there are buckets. Without workers, all owners are empty strings (Azure/ARO-RP pkg/util/buckets/balancer.go).
 */
export function balance(
  current: readonly string[],
  workers: readonly string[],
  count = bucketCount,
): readonly string[] {
  const owners = [...new Set(workers)].sort();
  if (owners.length === 0) return Array.from({ length: count }, () => "");
  const share = Math.ceil(count / owners.length);
  const load = new Map(owners.map((owner) => [owner, 0]));
  const kept = Array.from({ length: count }, (_, bucket) => {
    const owner = current[bucket] ?? "";
    const has = load.get(owner);
    if (has === undefined || has >= share) return undefined;
    load.set(owner, has + 1);
    return owner;
  });
  return kept.map((owner) => {
    if (owner !== undefined) return owner;
    const least = owners.reduce((a, b) => ((load.get(b) ?? 0) < (load.get(a) ?? 0) ? b : a));
    load.set(least, (load.get(least) ?? 0) + 1);
    return least;
  });
}
