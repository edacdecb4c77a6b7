import type { RequestSummary } from "../../api/requests.ts";

/** Fields that a filter can use, for example `status:404`. */
const fields: Readonly<Record<string, (request: RequestSummary) => string>> = {
  service: ({ service }) => service,
  method: ({ method }) => method,
  status: ({ status }) => String(status ?? "closed"),
  caller: ({ caller }) => caller ?? "",
  client: ({ client }) => client ?? "",
  host: ({ host }) => host,
  path: ({ path }) => path,
};

/** True if a request matches all words of a filter. `FIELD:TEXT` matches a prefix of the field. Other words match anywhere. */
export function matchesFilter(request: RequestSummary, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const all = Object.values(fields)
    .map((fieldOf) => fieldOf(request))
    .join(" ")
    .toLowerCase();
  return words.every((word) => {
    const [name = "", text] = word.split(/:(.*)/s);
    const fieldOf = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!fieldOf || text === undefined) return all.includes(word);
    return fieldOf(request).toLowerCase().startsWith(text);
  });
}
