import type { RequestSummary } from "../../api/requests.ts";

/** Fields that a filter can name, as in `status:404`. */
const fields: Readonly<Record<string, (request: RequestSummary) => string>> = {
  service: ({ service }) => service,
  method: ({ method }) => method,
  status: ({ status }) => String(status ?? "closed"),
  caller: ({ caller }) => caller ?? "",
  client: ({ client }) => client ?? "",
  host: ({ host }) => host,
  path: ({ path }) => path,
};

/** True if a request matches all words of a filter. `FIELD:TEXT` compares the start of a field, other words any part. */
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
