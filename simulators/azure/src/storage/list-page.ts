import { invalidQuery } from "./storage-error.ts";

const mostRows = 5_000;

/** Returns a page of rows sorted by key. The marker is the last key of the previous page. */
export function listPage<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  query: URLSearchParams,
): { readonly page: readonly Row[]; readonly nextMarker: string } {
  const size = Number(query.get("maxresults") ?? mostRows);
  if (!Number.isInteger(size) || size < 1) throw invalidQuery("maxresults");
  const after = Buffer.from(query.get("marker") ?? "", "base64url").toString();
  const rest = after === "" ? rows : rows.filter((row) => keyOf(row) > after);
  const page = rest.slice(0, Math.min(size, mostRows));
  const last = page.at(-1);
  const isLast = last === undefined || page.length === rest.length;
  return { page, nextMarker: isLast ? "" : Buffer.from(keyOf(last)).toString("base64url") };
}
