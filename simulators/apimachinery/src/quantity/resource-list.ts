import { objectAt } from "@keelson/base";
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from "./quantity.ts";

/** Quantities by resource name (core/v1 ResourceList). */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** Returns the resource list at a path. Invalid quantities are omitted. */
export function resourceListAt(value: unknown, ...path: readonly string[]): ResourceList {
  const list = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(objectAt(value, ...path))) {
    const quantity = parseQuantity(String(text));
    if (quantity) list.set(name, quantity);
  }
  return list;
}

export function sumOf(...lists: readonly ResourceList[]): ResourceList {
  const sum = new Map<string, Quantity>();
  for (const [name, quantity] of lists.flatMap((list) => [...list])) {
    const before = sum.get(name);
    sum.set(name, before ? addQuantities(before, quantity) : quantity);
  }
  return sum;
}

/** Returns the maximum quantity of each resource. */
export function maximumOf(...lists: readonly ResourceList[]): ResourceList {
  const most = new Map<string, Quantity>();
  for (const [name, quantity] of lists.flatMap((list) => [...list])) {
    const before = most.get(name);
    if (!before || before.nano < quantity.nano) most.set(name, quantity);
  }
  return most;
}

export function formatResourceList(list: ResourceList): Readonly<Record<string, string>> {
  return Object.fromEntries([...list].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}
