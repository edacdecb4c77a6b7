import type { JsonValue } from "@keelson/base";
import { badRequest } from "./arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";

/**
 * Returns one page of `rows` in key order. `$skipToken` contains the last key of the previous page. Therefore no row is repeated
 * or skipped if rows change between two calls.
 */
export function page<Row>(
  request: ArmRequest,
  rows: readonly Row[],
  keyOfRow: (row: Row) => string,
  render: (row: Row) => JsonValue,
  pageSize: number,
): ArmResponse {
  const sorted = [...rows].sort((a, b) => (keyOfRow(a) < keyOfRow(b) ? -1 : 1));
  const after = skipToken(request.query);
  const rest = after === undefined ? sorted : sorted.filter((row) => keyOfRow(row) > after);
  const shown = rest.slice(0, Math.min(pageSize, topOf(request.query) ?? pageSize));
  const last = shown.at(-1);
  const value = shown.map(render);
  if (last === undefined || shown.length === rest.length) return ok({ value });
  const query = new URLSearchParams(request.query);
  query.delete("$skiptoken");
  query.set("$skipToken", Buffer.from(keyOfRow(last)).toString("base64url"));
  const path = request.segments.map(encodeURIComponent).join("/");
  return ok({ value, nextLink: `${request.baseUrl}/${path}?${query}` });
}

function skipToken(query: URLSearchParams): string | undefined {
  const token = query.get("$skipToken") ?? query.get("$skiptoken");
  return token === null ? undefined : Buffer.from(token, "base64url").toString();
}

function topOf(query: URLSearchParams): number | undefined {
  const text = query.get("$top");
  if (text === null || text === "") return undefined;
  const top = Number(text);
  if (!Number.isInteger(top) || top < 1) {
    throw badRequest(
      "InvalidTopInQueryString",
      `The $top query parameter '${text}' is not a positive integer.`,
    );
  }
  return top;
}
