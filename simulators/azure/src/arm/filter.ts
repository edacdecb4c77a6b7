import type { JsonValue } from "@keelson/base";
import { members } from "../base/json.ts";
import { badRequest } from "./arm-error.ts";
import type { ArmRequest } from "./exchange.ts";

/**
 * The comparisons of an OData filter by lower-case member: `roleName eq 'Owner' and type eq 'X'`, and calls with one
 * text (`assignedTo('id')`). Only conjunctions are understood: that is all the clients of these collections send.
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

/** Whether the filter calls a function that takes nothing, such as `atScope()`. */
export function hasFilterCall(filter: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\(\\)`, "i").test(filter ?? "");
}

/** The comparisons of a request's filter, all of `names`. @throws ArmError 400 */
export function knownTerms(request: ArmRequest, names: readonly string[]): ReadonlyMap<string, string> {
  const filter = request.query.get("$filter");
  const terms = filterTerms(filter);
  if ([...terms.keys()].every((each) => names.includes(each))) return terms;
  throw badRequest(
    "InvalidFilterInQueryString",
    `Invalid $filter '${filter}' specified in the query string.`,
  );
}

/** Whether tags are as `tagName eq` and `tagValue eq` of a filter want them; names in any case, values as they are. */
export function isTagged(tags: JsonValue | undefined, terms: ReadonlyMap<string, string>): boolean {
  const name = terms.get("tagname")?.toLowerCase();
  if (name === undefined) return true;
  const value = terms.get("tagvalue");
  return Object.entries(members(tags)).some(
    ([each, text]) => each.toLowerCase() === name && (value === undefined || text === value),
  );
}
