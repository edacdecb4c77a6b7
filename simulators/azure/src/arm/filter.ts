import type { JsonValue } from "@keelson/base";
import { members } from "../base/json.ts";
import { badRequest } from "./arm-error.ts";
import type { ArmRequest } from "./exchange.ts";

/**
 * Parses an OData filter such as `roleName eq 'Owner' and type eq 'X'`. Returns the compared values by lower-cased property name.
 * For function calls with a string argument, such as `assignedTo('id')`, the function name is the key. Only terms joined by `and`
 * are supported, because clients send no other filters.
 */
export function filterTerms(filter: string | null): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const [, member = "", value = ""] of (filter ?? "").matchAll(
    /(?<![\w/])([\w/]+)\s+eq\s+'((?:[^']|'')*)'/gi,
  )) {
    terms.set(member.toLowerCase(), value.replaceAll("''", "'"));
  }
  for (const [, name = "", value = ""] of (filter ?? "").matchAll(/\b(\w+)\('((?:[^']|'')*)'\)/g)) {
    terms.set(name.toLowerCase(), value.replaceAll("''", "'"));
  }
  return terms;
}

/** True if the filter calls the function `name` without arguments, for example `atScope()`. */
export function hasFilterCall(filter: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\(\\)`, "i").test(filter ?? "");
}

/** Parses a request's filter. @throws ArmError 400 for properties that are not in `names` */
export function knownTerms(request: ArmRequest, names: readonly string[]): ReadonlyMap<string, string> {
  const filter = request.query.get("$filter");
  const terms = filterTerms(filter);
  if ([...terms.keys()].every((each) => names.includes(each))) return terms;
  throw badRequest(
    "InvalidFilterInQueryString",
    `Invalid $filter '${filter}' specified in the query string.`,
  );
}

/**
 * True if the tags contain the `tagName` and, if specified, the `tagValue` of a filter. Also true for a filter without `tagName`.
 * Tag names are case-insensitive. Tag values are case-sensitive.
 */
export function isTagged(tags: JsonValue | undefined, terms: ReadonlyMap<string, string>): boolean {
  const name = terms.get("tagname")?.toLowerCase();
  if (name === undefined) return true;
  const value = terms.get("tagvalue");
  return Object.entries(members(tags)).some(
    ([each, text]) => each.toLowerCase() === name && (value === undefined || text === value),
  );
}
