import type { SortOrder } from "../display/sort.ts";
import { type Choice, facetNames } from "./facets.ts";

/** Filters and sort order of the list of clusters. The URL of the page contains them. */
export interface FleetView {
  readonly filter: string;
  readonly choice: Choice;
  readonly order: SortOrder;
}

export const initialOrder: SortOrder = { column: "Name", descending: false };

/** Parses the URL parameters: `?filter=demo&health=Degraded&sort=-Version`. */
export function readView(search: URLSearchParams): FleetView {
  const sort = search.get("sort") ?? "";
  const descending = sort.startsWith("-");
  const column = descending ? sort.slice(1) : sort;
  return {
    filter: search.get("filter") ?? "",
    choice: Object.fromEntries(facetNames.map((name) => [name, search.getAll(name)])),
    order: column === "" ? initialOrder : { column, descending },
  };
}

/** Returns the URL parameters of a view. A view without filters and with the default sort order has no parameters. */
export function viewParameters({ filter, choice, order }: FleetView): URLSearchParams {
  const search = new URLSearchParams();
  if (filter) search.set("filter", filter);
  for (const name of facetNames) for (const value of choice[name] ?? []) search.append(name, value);
  const sort = `${order.descending ? "-" : ""}${order.column}`;
  if (sort !== initialOrder.column) search.set("sort", sort);
  return search;
}
