import { formatResourceList, resourceListAt, sumOf } from "@keelson/apimachinery";

/**
 * Adds the usage that writes have added to a quota since the status `before`, from which the usage `computed` results.
 */
export function withGrowth(
  computed: unknown,
  before: unknown,
  current: unknown,
): Readonly<Record<string, string>> {
  const list = resourceListAt(computed);
  const earlier = resourceListAt(before, "used");
  const growth = new Map(
    [...resourceListAt(current, "used")].flatMap(([name, quantity]) => {
      const nano = quantity.nano - (earlier.get(name)?.nano ?? 0n);
      return list.has(name) && nano > 0n ? [[name, { ...quantity, nano }] as const] : [];
    }),
  );
  return formatResourceList(sumOf(list, growth));
}
