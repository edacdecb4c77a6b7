import type { JsonValue } from "@keelson/base";
import { members } from "../base/json.ts";
import { badRequest } from "./arm-error.ts";
import type { ArmRequest } from "./exchange.ts";

/**
 * Comparisons of an OData filter by property in lower case: `roleName eq 'Owner' and type eq 'X'`, and calls
 * with a string (`assignedTo('id')`). Supports only conjunctions, because clients of these collections send
 * nothing else.
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

/** True if the filter calls a function without arguments, such as `atScope()`. */
export function hasFilterCall(filter: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\(\\)`, "i").test(filter ?? "");
}

/** Comparisons of a request's filter. @throws ArmError 400 for properties other than `names` */
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
 * True if tags match `tagName eq` and `tagValue eq` of a filter. Names are case-insensitive, values are not.
 */
export function isTagged(tags: JsonValue | undefined, terms: ReadonlyMap<string, string>): boolean {
  const name = terms.get("tagname")?.toLowerCase();
  if (name === undefined) return true;
  const value = terms.get("tagvalue");
  return Object.entries(members(tags)).some(
    ([each, text]) => each.toLowerCase() === name && (value === undefined || text === value),
  );
}
