import type { JsonObject } from "@keelson/base";
import { at } from "../base/json.ts";
import type { GraphRequest } from "./entity-set.ts";
import { parseFilter } from "./filter.ts";
import { badRequest, GraphError } from "./graph-error.ts";

const defaultPage = 100;
const largestPage = 999;

/** Returns one page of objects according to `$filter`, `$orderby`, `$top`, `$count` and `$select`. */
export function pageOf(request: GraphRequest, context: string, objects: readonly JsonObject[]): JsonObject {
  const { query } = request;
  for (const unknown of ["$search", "$expand", "$apply", "$skip"]) {
    if (query.has(unknown)) {
      throw new GraphError(
        400,
        "Request_UnsupportedQuery",
        `The query option '${unknown}' is not supported.`,
      );
    }
  }
  const filter = query.get("$filter");
  const wanted = filter ? objects.filter(parseFilter(filter)) : objects;
  const sorted = sort(wanted, query.get("$orderby"));
  const start = startOf(sorted, query.get("$skiptoken"));
  const shown = sorted.slice(start, start + sizeOf(query));
  const last = shown.at(-1);
  const isWhole = start + shown.length >= sorted.length;
  return {
    "@odata.context": `${contextOf(request)}#${context}`,
    ...(query.get("$count") === "true" ? { "@odata.count": wanted.length } : {}),
    ...(last === undefined || isWhole ? {} : { "@odata.nextLink": nextLink(request, String(last.id)) }),
    value: shown.map((each) => select(each, query)),
  };
}

/** Returns one object with only the selected properties. */
export function oneOf(request: GraphRequest, context: string, object: JsonObject): JsonObject {
  const annotation = { "@odata.context": `${contextOf(request)}#${context}/$entity` };
  return { ...annotation, ...select(object, request.query) };
}

function contextOf({ baseUrl, segments }: GraphRequest): string {
  return `${baseUrl}/${segments[0] ?? "v1.0"}/$metadata`;
}

function select(object: JsonObject, query: URLSearchParams): JsonObject {
  const names = (query.get("$select") ?? "").split(",").map((each) => each.trim());
  if (names.every((each) => each === "" || each === "*")) return object;
  const wanted = new Set(names.map((each) => each.toLowerCase()));
  const isWanted = (name: string) => name.startsWith("@odata.") || wanted.has(name.toLowerCase());
  return Object.fromEntries(Object.entries(object).filter(([name]) => isWanted(name)));
}

/**
 * Sorts objects by one property, ascending or descending. Objects with equal values are sorted by ID, so that pages neither
 * repeat nor skip objects. Default property: the ID.
 */
function sort(objects: readonly JsonObject[], orderBy: string | null): readonly JsonObject[] {
  const [name = "id", direction = "asc"] = (orderBy ?? "id").trim().split(/\s+/);
  const sign = direction.toLowerCase() === "desc" ? -1 : 1;
  const keyOf = (object: JsonObject) => {
    const value = at(object, ...name.split("/"));
    return `${typeof value === "string" ? value.toLowerCase() : ""}\n${String(object.id)}`;
  };
  return [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -sign : sign));
}

function sizeOf(query: URLSearchParams): number {
  const text = query.get("$top");
  if (text === null) return defaultPage;
  const top = Number(text);
  if (Number.isInteger(top) && top >= 1 && top <= largestPage) return top;
  throw badRequest(`Invalid page size specified: '${text}'. Must be between 1 and ${largestPage} inclusive.`);
}

/** Returns the start index of a page. The token contains the last ID of the previous page. */
function startOf(sorted: readonly JsonObject[], token: string | null): number {
  if (token === null) return 0;
  const id = Buffer.from(token, "base64url").toString();
  const found = sorted.findIndex((each) => each.id === id);
  if (found >= 0) return found + 1;
  throw new GraphError(400, "Directory_ExpiredPageToken", "The specified page token value has expired.");
}

function nextLink({ baseUrl, segments, query }: GraphRequest, lastId: string): string {
  const next = new URLSearchParams(query);
  next.set("$skiptoken", Buffer.from(lastId).toString("base64url"));
  return `${baseUrl}/${segments.map(encodeURIComponent).join("/")}?${next}`;
}
