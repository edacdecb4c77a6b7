import { consoleErrors } from "../http/errors.ts";

/** Validates the name of a resource or resource group. @throws BadRequest */
export function requireName(value: unknown, field: string): string {
  if (typeof value === "string" && /^[\w.()-]{1,90}$/.test(value) && !value.endsWith(".")) return value;
  throw consoleErrors.BadRequest(`${field} must be 1 to 90 letters, digits, or . _ ( ) -`);
}

/** @throws BadRequest */
export function requireText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "" && value.length <= 1_024) return value;
  throw consoleErrors.BadRequest(`${field} must be a string.`);
}

/** Validates an integer from `least` to `most`. @throws BadRequest */
export function requireCount(value: unknown, field: string, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw consoleErrors.BadRequest(`${field} must be a whole number from ${least} to ${most}.`);
}

/** Validates the ID of a resource in the subscription. Rejects segments with a special meaning in URLs. @throws BadRequest */
export function requireResourceId(value: unknown, subscriptionId: string): string {
  const id = requireText(value, "id").replace(/\/+$/, "");
  const start = `/subscriptions/${subscriptionId}/`;
  const isInside = id.toLowerCase().startsWith(start.toLowerCase());
  const isPlain = id
    .slice(1)
    .split("/")
    .every((segment) => /^[\w.()@*: -]+$/.test(segment) && !/^\.+$/.test(segment));
  if (isInside && isPlain) return id;
  throw consoleErrors.BadRequest("id must be a resource ID of the subscription.");
}
