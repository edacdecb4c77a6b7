import { parseQuantity, type Quantity } from "@keelson/apimachinery";

const prefix = "count/";

/** Returns the name of the quota resource that counts the objects of a kind. */
export function objectCountName(group: string, plural: string): string {
  return `${prefix}${plural}${group ? `.${group}` : ""}`;
}

export function wholeQuantity(count: number): Quantity {
  return parseQuantity(String(count)) ?? { nano: 0n, format: "DecimalSI" };
}

export const one: Quantity = wholeQuantity(1);
