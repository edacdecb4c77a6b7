/**
 * The comparisons of an OData filter by lower-case member: `roleName eq 'Owner' and type eq 'X'`, and calls with one
 * text (`assignedTo('id')`). Only conjunctions are understood: that is all the clients of these collections send.
 */
export function filterTerms(filter: string | null): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const [, member = "", value = ""] of (filter ?? "").matchAll(/([\w/]+)\s+eq\s+'((?:[^']|'')*)'/gi)) {
    terms.set(member.toLowerCase(), value.replaceAll("''", "'"));
  }
  for (const [, name = "", value = ""] of (filter ?? "").matchAll(/(\w+)\('((?:[^']|'')*)'\)/g)) {
    terms.set(name.toLowerCase(), value.replaceAll("''", "'"));
  }
  return terms;
}

/** Whether the filter calls a function that takes nothing, such as `atScope()`. */
export function hasFilterCall(filter: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\(\\)`, "i").test(filter ?? "");
}
