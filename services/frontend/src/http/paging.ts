import { CloudError, nextLink } from "@keelson/arm";
import type { Document, ListPage } from "@keelson/database";
import type { Service } from "../service/service.ts";
import type { RequestContext } from "./messages/request-context.ts";
import type { Response } from "./messages/response.ts";

const tokenName = "$skipToken";

/** Returns one page of a list. The page token in `nextLink` is valid only for this list. */
export async function pageOf<T extends Document>(
  request: RequestContext,
  service: Service,
  read: (position: { readonly continuation?: string }) => Promise<ListPage<T>>,
  external: (document: T) => object,
): Promise<Response> {
  const continuation = openToken(request, service);
  const page = await read(continuation === undefined ? {} : { continuation });
  const value = page.items.map((item) => external(item.document));
  const next = linkAfter(page, request, service);
  return { status: 200, body: { value, ...(next === undefined ? {} : { nextLink: next }) } };
}

/** Returns the URL of the next page after `page`. Undefined at the end of the list. */
export function linkAfter(
  { continuation }: Pick<ListPage<Document>, "continuation">,
  request: RequestContext,
  { sealer }: Service,
): string | undefined {
  if (continuation === undefined) return undefined;
  return nextLink(request.callerUrl().href, sealer.seal(continuation, request.path));
}

/**
 * Returns the position in the request's page token, or undefined if the request has no token. The token contains the path of its
 * list, so it is not valid for a different list.
 * @throws CloudError InvalidParameter for an invalid token
 */
export function openToken(request: RequestContext, { sealer }: Service): string | undefined {
  const token = request.query(tokenName);
  if (!token) return undefined;
  const continuation = sealer.open(token, request.path);
  if (continuation !== undefined) return continuation;
  throw new CloudError(
    "InvalidParameter",
    `The provided ${tokenName} is invalid. Start the list again without it.`,
    { target: tokenName },
  );
}

const usualLimit = 100;
const largestLimit = 1_000;

/** Returns the query parameter `limit` of administrators' lists. If the parameter is missing or not a number, returns 100. */
export function limitOf(request: RequestContext): number {
  const text = request.query("limit") ?? "";
  if (!/^\d{1,9}$/.test(text)) return usualLimit;
  return Math.min(largestLimit, Math.max(1, Number(text)));
}
