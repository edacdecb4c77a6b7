import { isPlainObject } from "@keelson/base";
import type { CallWorld, WorldCall } from "../world/world.ts";
import { consoleErrors } from "./errors.ts";

/** Returns the body of a successful response. @throws NotFound, Conflict, BadRequest, WorldFailed with the response's error */
export async function bodyOf(call: CallWorld, request: WorldCall, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await call(request, signal);
  if (status < 300) return body;
  const message = messageIn(body) ?? `${request.method} ${request.path.split("?", 1)[0]} returned ${status}`;
  switch (status) {
    case 400:
    case 422:
      throw consoleErrors.BadRequest(message);
    case 404:
      throw consoleErrors.NotFound(message);
    case 409:
    case 412:
      throw consoleErrors.Conflict(message);
    default:
      throw consoleErrors.WorldFailed(`${status}: ${message}`);
  }
}

/** Returns `code: message` of an error response from ARM, Microsoft Graph or the service. */
function messageIn(body: unknown): string | undefined {
  const error = isPlainObject(body) ? body.error : undefined;
  if (!isPlainObject(error)) return undefined;
  const { code, message } = error;
  return typeof message === "string" ? `${String(code)}: ${message}` : undefined;
}

const maxPages = 20;

/** Reads a list and follows its next links. `isComplete` is false if the list exceeds `limit` entries. */
export async function listOf(
  call: CallWorld,
  path: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Readonly<Record<string, unknown>>[]; readonly isComplete: boolean }> {
  const items: Readonly<Record<string, unknown>>[] = [];
  let next: string | undefined = path;
  for (let page = 0; next !== undefined && page < maxPages && items.length < limit; page++) {
    const body: unknown = await bodyOf(call, { method: "GET", path: next }, signal);
    const { value, ...links }: Readonly<Record<string, unknown>> = isPlainObject(body) ? body : {};
    if (Array.isArray(value)) items.push(...value.filter(isPlainObject));
    next = pathOf(links.nextLink ?? links["@odata.nextLink"]);
  }
  return { items: items.slice(0, limit), isComplete: next === undefined && items.length <= limit };
}

function pathOf(link: unknown): string | undefined {
  const url = typeof link === "string" ? URL.parse(link) : null;
  return url ? `${url.pathname}${url.search}` : undefined;
}
